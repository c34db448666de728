import { existsSync } from "fs";
import * as path from "path";
import * as vscode from "vscode";

/** The program to start. */
export interface Program {
  command: string;
  args: string[];
}

/** What the settings name, else what the workspace's environment has, else what is on PATH. */
export async function findServer(): Promise<Program> {
  const settings = vscode.workspace.getConfiguration("lintpickle");
  const named = vscode.workspace.isTrusted ? settings.get<string>("path", "") : "";
  if (named !== "") {
    return { command: expanded(named), args: ["server"] };
  }
  const interpreter = vscode.workspace.isTrusted
    ? settings.get<string>("interpreter", "") || (await selectedInterpreter())
    : undefined;
  if (interpreter) {
    const beside = path.join(path.dirname(expanded(interpreter)), executable("lintpickle"));
    if (existsSync(beside)) {
      return { command: beside, args: ["server"] };
    }
    if (settings.get<string>("interpreter", "") !== "") {
      // -I: without it, Python imports from the folder it is started in, which is the workspace.
      return { command: expanded(interpreter), args: ["-I", "-m", "lintpickle", "server"] };
    }
  }
  if (vscode.workspace.isTrusted) {
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      const scripts = process.platform === "win32" ? "Scripts" : "bin";
      const candidate = path.join(folder.uri.fsPath, ".venv", scripts, executable("lintpickle"));
      if (existsSync(candidate)) {
        return { command: candidate, args: ["server"] };
      }
    }
  }
  return { command: "lintpickle", args: ["server"] };
}

/** The interpreter that Microsoft's Python extension has selected, if it is there. */
async function selectedInterpreter(): Promise<string | undefined> {
  const python = vscode.extensions.getExtension("ms-python.python");
  if (python === undefined) {
    return undefined;
  }
  const api = python.isActive ? python.exports : await python.activate();
  const environments = api?.environments;
  const resolved = await environments?.resolveEnvironment?.(environments.getActiveEnvironmentPath());
  return resolved?.executable?.uri?.fsPath;
}

function executable(name: string): string {
  return process.platform === "win32" ? `${name}.exe` : name;
}

function expanded(value: string): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? "";
  return value.replace(/\$\{workspaceFolder\}/g, folder).replace(/^~(?=[/\\])/, process.env.HOME ?? "~");
}
