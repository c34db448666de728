import * as assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { beforeEach, test } from "node:test";
import { findProgram } from "../src/server";
import { state } from "./fake/vscode";

const scripts = process.platform === "win32" ? "Scripts" : "bin";
const name = process.platform === "win32" ? "lintpickle.exe" : "lintpickle";
const plain = { command: "lintpickle", args: [] };

/** An environment in a new folder, with lintpickle or without; gives its interpreter and its lintpickle. */
function environment(root: string, withLintpickle: boolean): { python: string; lintpickle: string } {
  const folder = path.join(root, scripts);
  mkdirSync(folder, { recursive: true });
  if (withLintpickle) {
    writeFileSync(path.join(folder, name), "");
  }
  return { python: path.join(folder, "python"), lintpickle: path.join(folder, name) };
}

function selected(python: string) {
  const environments = {
    getActiveEnvironmentPath: () => ({}),
    resolveEnvironment: async () => ({ executable: { uri: { fsPath: python } } }),
  };
  return { isActive: false, activate: async () => ({ environments }) };
}

let root = "";

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "lintpickle-"));
  Object.assign(state, { isTrusted: true, settings: {}, folders: [root], python: undefined });
});

test("without anything, the program on PATH", async () => {
  assert.deepEqual(await findProgram(), plain);
});

test("the path in the settings comes first", async () => {
  state.settings = { path: "${workspaceFolder}/tools/lintpickle", interpreter: "/usr/bin/python3" };
  assert.deepEqual(await findProgram(), { command: `${root}/tools/lintpickle`, args: [] });
});

test("an interpreter in the settings starts what lies beside it", async () => {
  const { python, lintpickle } = environment(path.join(root, "env"), true);
  state.settings = { interpreter: python };
  assert.deepEqual(await findProgram(), { command: lintpickle, args: [] });
});

test("an interpreter without a script runs the module, isolated from the workspace", async () => {
  const { python } = environment(path.join(root, "env"), false);
  state.settings = { interpreter: python };
  assert.deepEqual(await findProgram(), { command: python, args: ["-I", "-m", "lintpickle"] });
});

test("the environment that the Python extension has selected comes before .venv", async () => {
  const { python, lintpickle } = environment(path.join(root, "conda"), true);
  environment(path.join(root, ".venv"), true);
  state.python = selected(python);
  assert.deepEqual(await findProgram(), { command: lintpickle, args: [] });
});

test("a selected environment without lintpickle leaves it to .venv", async () => {
  const { python } = environment(path.join(root, "conda"), false);
  const { lintpickle } = environment(path.join(root, ".venv"), true);
  state.python = selected(python);
  assert.deepEqual(await findProgram(), { command: lintpickle, args: [] });
});

test("a Python extension that fails, or that is too old, is done without", async () => {
  state.python = { isActive: false, activate: () => Promise.reject(new Error("broken")) };
  assert.deepEqual(await findProgram(), plain);
  state.python = { isActive: true, exports: {}, activate: async () => undefined };
  assert.deepEqual(await findProgram(), plain);
});

test("of a workspace that is not trusted, nothing is started", async () => {
  const { python } = environment(path.join(root, ".venv"), true);
  Object.assign(state, { isTrusted: false, settings: { path: "./evil", interpreter: python } });
  state.python = selected(python);
  assert.deepEqual(await findProgram(), plain);
});
