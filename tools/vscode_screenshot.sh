#!/usr/bin/env bash
# Opens a project in VS Code (code-server, in headless Chromium) with the extension of this checkout, and takes a picture.
#
#   tools/vscode_screenshot.sh FOLDER PICTURE.png [PYTHON]
#
# FOLDER is kept between runs: code-server and its packages are installed there from npm. PYTHON has lintpickle[lsp].
# Needs node 20 with headers, npm, g++, make, chromium and ripgrep. Fails if the picture would show no finding.
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
  await page.click('.explorer-folders-view [aria-label="train.py"]', { count: 2 });
  try {
    await page.waitForSelector(".squiggly-error", { timeout: 60000 });
  } catch (error) {
    await page.screenshot({ path: picture });
    throw error;
  }
  await pause(3000);
  await page.click(".monaco-editor .view-lines");
  await page.keyboard.press("F8");
  await pause(3000);
  await page.screenshot({ path: picture });
  await browser.close();
})().catch((error) => { console.error(error); process.exit(1); });
SCRIPT
(cd "$folder" && node picture.js "http://127.0.0.1:$port/?folder=$work/project" "$picture") || {
    tail -20 "$work/server.log"
    find "$work/data" -path '*exthost*' -name '*.log' -exec tail -n 20 {} +
    exit 1
}
echo "$picture"
