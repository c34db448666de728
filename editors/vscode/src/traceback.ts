import { spawn } from "child_process";
import * as path from "path";
import * as vscode from "vscode";
import { Program } from "./server";

/** What `lintpickle trace` says. */
export interface Explanation {
  text: string;
  /** The line that gives the error, if one was found. */
  place?: { file: string; row: number; column: number };
}

/** Has `lintpickle trace` explain a traceback to a program in a folder. Rejects if it cannot. */
export function explain(program: Program, traceback: string, folder: string): Promise<Explanation> {
  return new Promise((resolve, reject) => {
    const args = [...program.args, "trace", "--color", "never", "--project", folder, "-"];
    const child = spawn(program.command, args, { cwd: folder });
    let out = "";
    let err = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0 || code === 1) {
        resolve({ text: out, place: placeIn(out, folder) });
      } else {
        reject(new Error(err.trim() || `lintpickle ended with ${code}`));
      }
    });
    child.stdin.on("error", () => undefined); // it ended before it read: the exit code says why
    child.stdin.end(traceback);
  });
}

/** The first place that a report names (" --> train.py:7:28"). */
export function placeIn(report: string, folder: string): Explanation["place"] {
  const found = /^ --> (.+):(\d+):(\d+)$/m.exec(report);
  return found === null
    ? undefined
    : { file: path.resolve(folder, found[1]), row: Number(found[2]), column: Number(found[3]) };
}

/** The traceback that the user means: what is selected, else what is on the clipboard. */
export async function chosenTraceback(): Promise<string> {
  const editor = vscode.window.activeTextEditor;
  const selected = editor === undefined ? "" : editor.document.getText(editor.selection);
  return selected.trim() !== "" ? selected : vscode.env.clipboard.readText();
}
