import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions, TransportKind } from "vscode-languageclient/node";
import { findServer } from "./server";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("lintpickle", { log: true });
  const command = (name: string, action: () => Promise<void>) =>
    context.subscriptions.push(vscode.commands.registerCommand(name, action));
  command("lintpickle.restart", () => restart(output));
  command("lintpickle.fixAll", () => fixAll());
  command("lintpickle.debugInformation", () => debugInformation(output));
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
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function start(output: vscode.LogOutputChannel): Promise<void> {
  const program = await findServer();
  output.info(`starting ${[program.command, ...program.args].join(" ")}`);
  const server: ServerOptions = { command: program.command, args: program.args, transport: TransportKind.stdio };
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

async function fixAll(): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (client !== undefined && document !== undefined) {
    await client.sendRequest("workspace/executeCommand", {
      command: "lintpickle.applyAutofix",
      arguments: [client.code2ProtocolConverter.asUri(document.uri)],
    });
  }
}

async function debugInformation(output: vscode.LogOutputChannel): Promise<void> {
  if (client !== undefined) {
    await client.sendRequest("workspace/executeCommand", { command: "lintpickle.printDebugInformation", arguments: [] });
    output.show();
  }
}
