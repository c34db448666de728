#!/usr/bin/env bash
# Opens a project in VS Code (code-server, in headless Chromium) with the extension of this checkout, applies a quick fix
# and then all fixes, and takes a picture of each: PICTURE.png has the findings, PICTURE-menu.png the fixes on offer,
# PICTURE-fixed.png what a quick fix made of it, PICTURE-all.png what the command that fixes all made of another file.
#
#   tools/vscode_screenshot.sh FOLDER PICTURE.png [PYTHON]
#
# FOLDER is kept between runs: code-server and its packages are installed there from npm. PYTHON has lintpickle[lsp].
# Needs node 20 with headers, npm, g++, make, chromium and ripgrep. Fails if a picture would show no finding, or if a
# fix does not reach the file. PICTURE-trace.png has a pasted traceback explained, PICTURE-migration.png the report of
# what depends on fork; both must have been opened.
set -euo pipefail

checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
picture=$(realpath -m "$2")
python=$(command -v "${3:-python3}")
vscode=$folder/node_modules/code-server/lib/vscode
port=${PORT:-8123}
export npm_config_loglevel=error npm_config_unsafe_perm=true npm_config_nodedir="${NODEDIR:-/usr}"

cd "$folder"
if [ ! -e installed ]; then
    echo '{"private":true}' > package.json
    npm install code-server puppeteer-core --ignore-scripts --no-audit --no-fund
    cd "$vscode"
    npm install --omit=dev --ignore-scripts --no-audit --no-fund
    for module in @vscode/spdlog native-watchdog @parcel/watcher; do npm rebuild "$module"; done
    npm rebuild node-pty || true # the module is built; only its last script fails
    ln -sfn node_modules node_modules.asar
    mkdir -p node_modules/@vscode/ripgrep/bin
    ln -sf "$(command -v rg)" node_modules/@vscode/ripgrep/bin/rg
    cd "$folder"
    touch installed
fi

work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2> /dev/null || true; rm -rf "$work"' EXIT
extension=$work/extensions/lintpickle.lintpickle-0.1.0
mkdir -p "$work/extensions" "$work/project" "$work/data/data/Machine"
cp -R "$checkout/editors/vscode" "$extension"
(cd "$extension" && npm install --no-audit --no-fund && npm run compile) > "$work/build.log" 2>&1 || { cat "$work/build.log"; exit 1; }

printf '#!/bin/sh\nPYTHONPATH=%s exec %s -m lintpickle "$@"\n' "$checkout" "$python" > "$work/lintpickle"
chmod +x "$work/lintpickle"
cat > "$work/data/data/Machine/settings.json" << SETTINGS
{"lintpickle.path": "$work/lintpickle", "security.workspace.trust.enabled": false, "workbench.startupEditor": "none",
 "editor.minimap.enabled": false, "editor.fontSize": 13, "problems.showCurrentInStatus": true}
SETTINGS
touch "$work/project/pyproject.toml"
cat > "$work/project/config.py" << 'CODE'
class Config:
    def __init__(self, ranges):
        self.ranges = ranges
        self.names = self.ranges.keys()
CODE
cat > "$work/project/train.py" << 'CODE'
from torch.utils.data import DataLoader, Dataset

from config import Config


class Frames(Dataset):
    def __init__(self, ranges):
        self.config = Config(ranges)
        self.transform = lambda frame: frame / 255

    def __getitem__(self, index):
        return self.transform(index)


if __name__ == "__main__":
    loader = DataLoader(Frames({"car": 1}), num_workers=2)
CODE

cat > "$work/project/error.txt" << 'CODE'
Traceback (most recent call last):
  File "/home/user/train.py", line 16, in <module>
    for batch in loader:
  File "/opt/python/lib/python3.12/site-packages/torch/utils/data/dataloader.py", line 1041, in __init__
    w.start()
  File "/opt/python/lib/python3.12/multiprocessing/reduction.py", line 60, in dump
    ForkingPickler(file, protocol).dump(obj)
TypeError: cannot pickle 'dict_keys' object
CODE

node "$vscode/out/server-main.js" --host 127.0.0.1 --port "$port" --without-connection-token \
    --accept-server-license-terms --extensions-dir "$work/extensions" --server-data-dir "$work/data" \
    --telemetry-level off > "$work/server.log" 2>&1 &
server=$!
cat > "$folder/picture.js" << 'SCRIPT'
const puppeteer = require("puppeteer-core");
const [url, picture] = process.argv.slice(2);
(async () => {
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium", headless: "new",
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--force-color-profile=srgb"] });
  const page = await browser.newPage();
  await page.setViewport({ width: 1200, height: 640, deviceScaleFactor: 2 });
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  for (let i = 0; i < 60; i++) {
    try { await page.goto(url); break; } catch { await pause(1000); }
  }
  await page.waitForSelector(".monaco-workbench .explorer-folders-view", { timeout: 120000 });
  await pause(2000);
  await pause(3000);
  for (const button of await page.$$(".monaco-dialog-box .monaco-button")) { // our own project is to be trusted
    if ((await button.evaluate((node) => node.textContent)).startsWith("Yes")) await button.click();
  }
  await pause(1000);
  const shot = (name) => page.screenshot({ path: picture.replace(/\.png$/, `${name}.png`) });
  const found = async (selector, options) => {
    try {
      return await page.waitForSelector(selector, { timeout: 60000, ...options });
    } catch (error) {
      await shot("");
      throw error;
    }
  };
  const press = async (key) => {
    await page.keyboard.down("Control");
    await page.keyboard.press(key);
    await page.keyboard.up("Control");
  };
  const show = async (name) => {
    const entry = `.explorer-folders-view [aria-label="${name}"]`;
    await found(entry);
    await page.click(entry, { count: 2 });
  };
  const open = async (name) => {
    await show(name);
    await page.waitForFunction((start) => document.title.startsWith(start), { timeout: 60000 }, name);
    await found(".squiggly-error");
    await page.click(".monaco-editor .view-lines");
  };
  const clean = async () => {
    await found(".squiggly-error", { hidden: true });
    await press("s");
    await pause(2000);
  };

  const run = async (command) => {
    await page.keyboard.press("F1");
    await found(".quick-input-widget input");
    await page.keyboard.type(command, { delay: 20 });
    await pause(1000);
    await page.keyboard.press("Enter");
  };
  const title = async (text) => {
    try {
      await page.waitForFunction((part) => document.title.includes(part), { timeout: 60000 }, text);
    } catch (error) {
      await shot("");
      throw error;
    }
  };

  await show("error.txt");
  await title("error.txt");
  await page.click(".monaco-editor .view-lines");
  await press("a");
  await run("lintpickle: Explain a traceback");
  await title("config.py"); // the line that gives the error, in another file than any that the traceback names
  await pause(2000);
  await shot("-trace");
  await run("View: Close All Editors");
  await pause(1000);
  for (const button of await page.$$(".monaco-dialog-box .monaco-button")) { // the report is not to be saved
    if ((await button.evaluate((node) => node.textContent)).startsWith("Don")) await button.click();
  }
  await pause(1000);

  await run("lintpickle: Report what still depends");
  await title("Preview");
  await pause(3000);
  await shot("-migration");
  await run("View: Close All Editors");
  await pause(1000);
  for (const button of await page.$$(".monaco-dialog-box .monaco-button")) {
    if ((await button.evaluate((node) => node.textContent)).startsWith("Don")) await button.click();
  }
  await pause(1000);

  await open("train.py");
  await pause(3000);
  await page.keyboard.press("F8");
  await pause(3000);
  await shot("");
  await page.keyboard.press("Escape");
  await press(".");
  await found(".action-widget .monaco-list-row");
  await pause(1000);
  await shot("-menu");
  await page.keyboard.press("Enter");
  await clean();
  await shot("-fixed");

  await open("config.py");
  await run("lintpickle: Fix all");
  await clean();
  await shot("-all");
  await browser.close();
})().catch((error) => { console.error(error); process.exit(1); });
SCRIPT
(cd "$folder" && node picture.js "http://127.0.0.1:$port/?folder=$work/project" "$picture") || {
    tail -20 "$work/server.log"
    find "$work/data" -path '*exthost*' -name '*.log' -exec tail -n 20 {} +
    exit 1
}
for fixed in "$work/project/train.py:self.transform = _transform" "$work/project/config.py:self.names = list(self.ranges.keys())"; do
    grep -qF "${fixed#*:}" "${fixed%%:*}" || { echo "the fix did not reach the file:" >&2; cat "${fixed%%:*}" >&2; exit 1; }
done
echo "${picture%.png}"{,-trace,-migration,-menu,-fixed,-all}.png
