import { existsSync } from "fs";
import * as path from "path";
import * as vscode from "vscode";

/** The program `lintpickle`: what to start, and the arguments that come before those of lintpickle. */
export interface Program {
  command: string;
  args: string[];
}

/** What the settings name, else what the selected Python or the workspace's environment has, else what is on PATH. */
export async function findProgram(): Promise<Program> {
  if (!vscode.workspace.isTrusted) {
    return { command: "lintpickle", args: [] }; // nothing that a workspace names is started
  }
  const settings = vscode.workspace.getConfiguration("lintpickle");
  const named = settings.get<string>("path", "");
  if (named !== "") {
    return { command: expanded(named), args: [] };
  }
  const interpreter = settings.get<string>("interpreter", "");
  if (interpreter !== "") {
    return scriptBeside(expanded(interpreter)) ?? asModule(expanded(interpreter));
  }
  const selected = await selectedInterpreter();
  const beside = selected === undefined ? undefined : scriptBeside(selected);
  if (beside !== undefined) {
    return beside;
  }
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const candidate = path.join(folder.uri.fsPath, ".venv", scripts(), executable("lintpickle"));
    if (existsSync(candidate)) {
      return { command: candidate, args: [] };
    }
  }
  return { command: "lintpickle", args: [] };
}

/** The script `lintpickle` in the folder of an interpreter. */
function scriptBeside(interpreter: string): Program | undefined {
  const script = path.join(path.dirname(interpreter), executable("lintpickle"));
  return existsSync(script) ? { command: script, args: [] } : undefined;
}

/** lintpickle as a module. -I: without it, Python imports from the folder it is started in, which is the workspace. */
function asModule(interpreter: string): Program {
  return { command: interpreter, args: ["-I", "-m", "lintpickle"] };
}

/** The interpreter that Microsoft's Python extension has selected, if the extension is there. */
async function selectedInterpreter(): Promise<string | undefined> {
  const environments = (await pythonExtension())?.environments;
  const resolved = await environments?.resolveEnvironment?.(environments.getActiveEnvironmentPath());
  return resolved?.executable?.uri?.fsPath;
}

/** Calls back when the user selects another interpreter. */
export async function onInterpreterChange(changed: () => void): Promise<vscode.Disposable | undefined> {
  return (await pythonExtension())?.environments?.onDidChangeActiveEnvironmentPath?.(changed);
}

interface PythonApi {
  environments?: {
    getActiveEnvironmentPath(): unknown;
    resolveEnvironment?(path: unknown): Promise<{ executable?: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath?: vscode.Event<unknown>;
  };
}

async function pythonExtension(): Promise<PythonApi | undefined> {
  const python = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  if (python === undefined) {
    return undefined;
  }
  try {
    return python.isActive ? python.exports : await python.activate();
  } catch {
    return undefined; // it is broken: what else is there is started
  }
}

function scripts(): string {
  return process.platform === "win32" ? "Scripts" : "bin";
}

function executable(name: string): string {
  return process.platform === "win32" ? `${name}.exe` : name;
}

function expanded(value: string): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  return value.replace(/\$\{workspaceFolder\}/g, folder).replace(/^~(?=[/\\])/, process.env.HOME ?? "~");
}
