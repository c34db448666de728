// What the tests put in place of the module `vscode`: settings, trust, folders and extensions as a test says.
export const state = {
  isTrusted: true,
  settings: {} as Record<string, string>,
  folders: [] as string[],
  python: undefined as undefined | { isActive: boolean; exports?: unknown; activate: () => Promise<unknown> },
};

export const workspace = {
  get isTrusted() {
    return state.isTrusted;
  },
  get workspaceFolders() {
    return state.folders.map((fsPath) => ({ uri: { fsPath } }));
  },
  getConfiguration: () => ({ get: (name: string, otherwise: string) => state.settings[name] ?? otherwise }),
};

export const extensions = { getExtension: () => state.python };
export const window = { activeTextEditor: undefined };
export const env = { clipboard: { readText: async () => "from the clipboard" } };
