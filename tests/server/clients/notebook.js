// Microsoft's client library with a notebook, as VS Code sends one. Arguments: the notebook's path, then the command.
const { spawn } = require("child_process");
const P = require("vscode-languageserver-protocol/node");
const { TextDocument } = require("vscode-languageserver-textdocument");

const [notebook, command, ...args] = process.argv.slice(2);
const server = spawn(command, args);
server.stderr.pipe(process.stderr);
const client = P.createProtocolConnection(
  new P.StreamMessageReader(server.stdout), new P.StreamMessageWriter(server.stdin), console);
const published = {};
client.onNotification(P.PublishDiagnosticsNotification.type, (p) => { published[p.uri] = p.diagnostics; });
client.onRequest(P.RegistrationRequest.type, () => null);
client.onRequest(P.WorkDoneProgressCreateRequest.type, () => null);
client.onRequest(P.ConfigurationRequest.type, (p) => p.items.map(() => null));
client.listen();

const uri = `file://${notebook}`;
const cellUri = (name) => `vscode-notebook-cell:${notebook}#${name}`;
const cell = (name) => ({ kind: 2, document: cellUri(name) });
const text = (name, value) => ({ uri: cellUri(name), languageId: "python", version: 1, text: value });
const texts = {
  a: "%matplotlib inline\nimport torch\nfrom torch.utils.data import DataLoader, Dataset",
  b: "x = 'hé 😋'\nclass Frames(Dataset):\n    def __init__(self):\n        y = '😋'; self.names = {}.keys()\n" +
     "    def __getitem__(self, i):\n        return i",
  c: "DataLoader(Frames(), num_workers=2)",
};
const wait = async (test) => {
  for (let i = 0; i < 600 && !test(); i++) await new Promise((r) => setTimeout(r, 100));
  if (!test()) throw new Error("waited in vain: " + JSON.stringify(published));
};
const codes = (name) => (published[cellUri(name)] || []).map((d) => d.code);
const say = (key, value) => console.log(key + " " + JSON.stringify(value));
const applied = (name, edit) => {
  const changes = Object.fromEntries(edit.documentChanges.map((c) => [c.textDocument.uri, c.edits]));
  const document = TextDocument.create(cellUri(name), "python", 1, texts[name]);
  return TextDocument.applyEdits(document, changes[cellUri(name)]);
};

(async () => {
  const capabilities = {
    workspace: { configuration: true, workspaceEdit: { documentChanges: true } },
    window: { workDoneProgress: true },
    notebookDocument: { synchronization: { dynamicRegistration: true, executionSummarySupport: true } },
    textDocument: {
      diagnostic: { relatedDocumentSupport: true },
      publishDiagnostics: { relatedInformation: true, codeDescriptionSupport: true, dataSupport: true },
      codeAction: { dataSupport: true, isPreferredSupport: true, resolveSupport: { properties: ["edit"] },
        codeActionLiteralSupport: { codeActionKind: { valueSet: ["", "quickfix", "source"] } } },
    },
  };
  await client.sendRequest(P.InitializeRequest.type, {
    processId: process.pid, rootUri: null, capabilities, workspaceFolders: null });
  await client.sendNotification(P.InitializedNotification.type, {});
  await client.sendNotification("notebookDocument/didOpen", {
    notebookDocument: { uri, notebookType: "jupyter-notebook", version: 1, cells: ["a", "b", "c"].map(cell) },
    cellTextDocuments: ["a", "b", "c"].map((name) => text(name, texts[name])) });
  await wait(() => codes("b").includes("LP101"));
  const found = published[cellUri("b")].find((d) => d.code === "LP101");
  say("RANGE", found.range);
  say("RELATED", found.relatedInformation.map((r) => r.location.uri));
  const ask = (name, only, diagnostics) => client.sendRequest(P.CodeActionRequest.type, {
    textDocument: { uri: cellUri(name) }, range: found.range, context: { diagnostics, only } });
  const fix = (await ask("b", ["quickfix"], [found])).find((a) => a.isPreferred);
  say("QUICK", applied("b", fix.edit));
  say("PLAIN", (await ask("b", ["source.fixAll"], [])).length);
  const [all] = await ask("a", ["notebook.source.fixAll"], []);
  say("LAZY", all.edit === undefined);
  say("ALL", applied("b", (await client.sendRequest(P.CodeActionResolveRequest.type, all)).edit));
  // An edit of one cell, in a range of UTF-16 units, mends it; a new cell in front moves nothing into another.
  await client.sendNotification("notebookDocument/didChange", { notebookDocument: { uri, version: 2 }, change: { cells: {
    structure: { array: { start: 0, deleteCount: 0, cells: [cell("n")] }, didOpen: [text("n", "# new")] },
    textContent: [{ document: { uri: cellUri("b"), version: 2 }, changes: [
      { range: { start: { line: 3, character: 31 }, end: { line: 3, character: 40 } }, text: "[]" }] }] } } });
  await wait(() => codes("b").length === 0);
  await client.sendNotification("notebookDocument/didChange", { notebookDocument: { uri, version: 3 }, change: { cells: {
    textContent: [{ document: { uri: cellUri("b"), version: 3 }, changes: [
      { range: { start: { line: 3, character: 31 }, end: { line: 3, character: 33 } }, text: "{}.items()" }] }] } } });
  await wait(() => codes("b").includes("LP101"));
  say("AGAIN", published[cellUri("b")].find((d) => d.code === "LP101").range);
  await client.sendNotification("notebookDocument/didClose", {
    notebookDocument: { uri }, cellTextDocuments: ["n", "a", "b", "c"].map((name) => ({ uri: cellUri(name) })) });
  await wait(() => codes("b").length === 0);
  await client.sendRequest(P.ShutdownRequest.type);
  await client.sendNotification(P.ExitNotification.type);
  say("DONE", true);
  process.exit(0);
})().catch((error) => { console.error(error); process.exit(1); });
