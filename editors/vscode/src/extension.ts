import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions, TransportKind } from "vscode-languageclient/node";
import { findProgram, onInterpreterChange } from "./server";
import { chosenTraceback, explain } from "./traceback";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("lintpickle", { log: true });
  const command = (name: string, action: () => Promise<void>) =>
    context.subscriptions.push(vscode.commands.registerCommand(name, () => told(action)));
  command("lintpickle.restart", () => restart(output));
  command("lintpickle.fixAll", () => fixAll());
  command("lintpickle.debugInformation", () => debugInformation(output));
  command("lintpickle.explainTraceback", () => explainTraceback());
  command("lintpickle.migrationReport", () => migrationReport());
  context.subscriptions.push(
    output,
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("lintpickle.path") || event.affectsConfiguration("lintpickle.interpreter")) {
        await restart(output);
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => restart(output)),
  );
  await start(output);
  const watching = await onInterpreterChange(() => void restart(output));
  if (watching !== undefined) {
    context.subscriptions.push(watching);
  }
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** Runs a command, and tells the user if it fails. */
async function told(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    void vscode.window.showErrorMessage(`lintpickle: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function start(output: vscode.LogOutputChannel): Promise<void> {
  const program = await findProgram();
  const args = [...program.args, "server"];
  output.info(`starting ${[program.command, ...args].join(" ")}`);
  const server: ServerOptions = { command: program.command, args, transport: TransportKind.stdio };
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "python" },
      { scheme: "untitled", language: "python" },
      { scheme: "vscode-notebook-cell", language: "python" },
    ],
    outputChannel: output,
    synchronize: { configurationSection: "lintpickle" },
    initializationOptions: { settings: {} },
  };
  client = new LanguageClient("lintpickle", "lintpickle", server, options);
  try {
    await client.start();
  } catch (error) {
    output.error(String(error));
    const answer = await vscode.window.showErrorMessage(
      `lintpickle did not start (${program.command}). Is it installed? pip install "lintpickle[lsp]"`,
      "Show the log",
    );
    if (answer !== undefined) {
      output.show();
    }
  }
}

async function restart(output: vscode.LogOutputChannel): Promise<void> {
  const old = client;
  client = undefined;
  try {
    await old?.dispose();
  } catch (error) {
    output.warn(String(error)); // one that never ran cannot be stopped
  }
  await start(output);
}

/** The result of a command of the server. */
async function asked<Result>(command: string, given: unknown[], token?: vscode.CancellationToken): Promise<Result> {
  if (client === undefined) {
    throw new Error("the server does not run");
  }
  const params = { command, arguments: given };
  return token === undefined // an argument that is undefined would be sent as a second parameter
    ? client.sendRequest<Result>("workspace/executeCommand", params)
    : client.sendRequest<Result>("workspace/executeCommand", params, token);
}

async function fixAll(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (client !== undefined && document !== undefined) {
    await asked("lintpickle.applyAutofix", [client.code2ProtocolConverter.asUri(document.uri)]);
  }
}

async function debugInformation(output: vscode.LogOutputChannel): Promise<void> {
  await asked("lintpickle.printDebugInformation", []);
  output.show();
}

async function migrationReport(): Promise<void> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: "lintpickle: what still depends on fork",
    cancellable: true,
  };
  await vscode.window.withProgress(options, async (_, token) => {
    let report: string;
    try {
      report = await asked<string>("lintpickle.migrate", [], token);
    } catch (error) {
      if (token.isCancellationRequested) {
        return;
      }
      throw error;
    }
    const document = await vscode.workspace.openTextDocument({ language: "markdown", content: report });
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand("markdown.showPreview");
  });
}

async function explainTraceback(): Promise<void> {
  const traceback = await chosenTraceback();
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (traceback.trim() === "") {
    throw new Error("select a traceback, or copy one to the clipboard");
  }
  if (folder === undefined) {
    throw new Error("open the folder of the program that raised the error");
  }
  const options = { location: vscode.ProgressLocation.Notification, title: "lintpickle: reading the traceback" };
  const explanation = await vscode.window.withProgress(options, async () =>
    explain(await findProgram(), traceback, folder),
  );
  const report = await vscode.workspace.openTextDocument({ language: "plaintext", content: explanation.text });
  await vscode.window.showTextDocument(report, { preview: false, viewColumn: vscode.ViewColumn.Beside });
  if (explanation.place !== undefined) {
    const { file, row, column } = explanation.place;
    const at = new vscode.Position(row - 1, column - 1);
    await vscode.window.showTextDocument(vscode.Uri.file(file), {
      selection: new vscode.Range(at, at),
      viewColumn: vscode.ViewColumn.One,
    });
  }
}
