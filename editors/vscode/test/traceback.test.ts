import * as assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { test } from "node:test";
import { chosenTraceback, explain, placeIn } from "../src/traceback";
import { window } from "./fake/vscode";

const folder = mkdtempSync(path.join(tmpdir(), "lintpickle-"));

/** A program that stands for lintpickle: it shows its arguments and what it reads, and ends with a code. */
function program(code: number, more = "") {
  const script = `
    let text = "";
    process.stdin.on("data", (part) => (text += part)).on("end", () => {
      console.log(JSON.stringify(process.argv.slice(1)) + " " + text);
      console.error("said on the side");
      ${more}
      process.exit(${code});
    });`;
  return { command: process.execPath, args: ["-e", script, "--"] };
}

test("the traceback goes to the standard input of `trace`, in the project's folder", async () => {
  const { text } = await explain(program(1), "TypeError: x", folder);
  assert.match(text, /"trace","--color","never","--project",".*","-"\] TypeError: x/);
});

test("the first place of the report is opened", async () => {
  const told = await explain(program(0, 'console.log(" --> pkg/a.py:7:28\\n --> b.py:1:1")'), "", folder);
  assert.deepEqual(told.place, { file: path.join(folder, "pkg", "a.py"), row: 7, column: 28 });
});

test("a report without a place opens nothing", () => {
  assert.equal(placeIn("nothing of the kind is stored\nnote --> a.py:1:1", folder), undefined);
});

test("an error of the program is told", async () => {
  await assert.rejects(explain(program(2), "", folder), /said on the side/);
  await assert.rejects(explain({ command: "/no/such/program", args: [] }, "", folder), /ENOENT/);
});

test("what is selected counts, else the clipboard", async () => {
  assert.equal(await chosenTraceback(), "from the clipboard");
  const document = { getText: () => "TypeError: selected" };
  Object.assign(window, { activeTextEditor: { document, selection: {} } });
  assert.equal(await chosenTraceback(), "TypeError: selected");
  Object.assign(window, { activeTextEditor: undefined });
});
