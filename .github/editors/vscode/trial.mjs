// Tries the extension in a real Visual Studio Code without a screen; run by hand, since it installs 500 MB.
//
//     npm run package
//     npm install --prefix FOLDER --ignore-scripts code-server@4.100.3 puppeteer-core
//     npm install --prefix FOLDER/node_modules/code-server/lib/vscode --ignore-scripts --omit=dev
//     for module in @vscode/spdlog native-watchdog; do
//       (cd FOLDER/node_modules/code-server/lib/vscode/node_modules/$module && npx node-gyp rebuild)
//     done
//     node trial.mjs FOLDER URLINT [CHROMIUM]

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const [folder, urlint, chromium = "/usr/bin/chromium"] = process.argv.slice(2);
const { default: puppeteer } = await import(
  createRequire(join(resolve(folder), "x.js")).resolve("puppeteer-core")
);
const code = join(folder, "node_modules/code-server/lib/vscode/out/server-main.js");

const top = mkdtempSync(join(tmpdir(), "urlint-trial-"));
const [work, data, extensions] = ["work", "data", "extensions"].map((name) => join(top, name));
const program = join(top, "urlint");
symlinkSync(resolve(urlint), program);
mkdirSync(work);
writeFileSync(join(work, "letter.txt"), "See http://a.example:/x and <http://www.\nb.example/y>.\n");
const flags = [
  "--accept-server-license-terms", "--without-connection-token", "--host", "127.0.0.1",
  "--server-data-dir", data, "--user-data-dir", data, "--extensions-dir", extensions,
];
const settings = (path) => {
  mkdirSync(join(data, "Machine"), { recursive: true });
  const all = { "urlint.path": path, "workbench.startupEditor": "none" };
  writeFileSync(join(data, "Machine/settings.json"), JSON.stringify(all));
};
settings(program);

const installed = spawnSync(process.execPath, [code, ...flags, "--install-extension", "urlint.vsix"], { encoding: "utf8" });
assert.equal(installed.status, 0, installed.stderr);

/** Returns the answer to `question` as soon as it is true. */
async function until(name, question, patience = 60_000) {
  for (const end = Date.now() + patience; Date.now() < end; await sleep(200)) {
    const answer = await question();
    if (answer) {
      return answer;
    }
  }
  await page?.screenshot({ path: "trial.png" });
  throw new Error(`not within ${patience / 1000} s: ${name}; see trial.png`);
}

/** Returns how many servers run. */
function servers() {
  const processes = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const lines = processes.map((name) => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, "utf8");
    } catch {
      return "";
    }
  });
  return lines.filter((line) => line.startsWith(`${program}\0lsp`)).length;
}

/** Returns the text of each output channel of the extension. */
function channels() {
  const files = readdirSync(data, { recursive: true, encoding: "utf8" });
  const logs = files.filter((file) => /output_logging.*-urlint\.log$/.test(file));
  return logs.map((file) => readFileSync(join(data, file), "utf8"));
}

let page;
const server = spawn(process.execPath, [code, ...flags, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
let said = "";
server.stdout.on("data", (text) => (said += text));
const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox"] });
try {
  const port = await until("the port", () => said.match(/127\.0\.0\.1:(\d+)|on (\d+)/)?.slice(1).find(Boolean));
  page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(`http://127.0.0.1:${port}/?folder=${work}`);
  const count = (selector) => page.$$eval(selector, (found) => found.length);
  const texts = (selector) => page.$$eval(selector, (found) => found.map((one) => one.textContent));
  await until("the window", () => count(".monaco-workbench .statusbar-item"));

  /** Does the command with this title. */
  const command = async (title) => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("F1");
    await until("the box", () => count(".quick-input-widget input"));
    await page.keyboard.down("Control");
    await page.keyboard.press("a");
    await page.keyboard.up("Control");
    await page.keyboard.type(`>${title}`);
    await until(title, async () => (await texts(".quick-input-list .monaco-list-row")).length);
    await sleep(1000);
    await page.keyboard.press("Enter");
  };
  const trust = await page.waitForSelector(".monaco-dialog-box .monaco-button:not(.secondary)");
  await trust.click();
  // Without ripgrep, which a script of its package would download, the box finds no files.
  const file = await page.waitForSelector('.explorer-folders-view [aria-label^="letter.txt"]');
  await file.click({ count: 2 });
  await until("squiggles", () => count(".squiggly-warning, .squiggly-error"));
  console.log("ok: squiggles");
  assert.equal(servers(), 1);

  for (let times = 0; times < 3; times += 1) {
    await command("urlint: Restart the language server");
  }
  await sleep(5000);
  await until("squiggles", () => count(".squiggly-warning, .squiggly-error"));
  assert.equal(servers(), 1);
  assert.equal(channels().length, 1);
  assert.doesNotMatch(channels()[0], /error/i);
  console.log("ok: three restarts in a row leave one server and one output channel, without an error");

  const mistake = async () => (await texts(".statusbar-item")).some((text) => text.includes("urlint: configuration"));
  writeFileSync(join(work, "urlint.toml"), "selct = 1\n");
  await until("the mistake in the status bar", mistake);
  writeFileSync(join(work, "urlint.toml"), "");
  await until("no mistake in the status bar", async () => !(await mistake()));
  assert.equal(await count(".notification-toast"), 0);
  console.log("ok: a mistake of the configuration is shown until it is mended");

  settings("/bin/echo");
  const toast = await until("the toast", async () => (await texts(".notification-toast"))[0]);
  await sleep(3000);
  assert.match(toast, /\/bin\/echo is not urlint.*remote machine/);
  assert.equal(await count(".notification-toast"), 1);
  assert.equal(servers(), 0);
  console.log("ok: another program gives one message");
  await page.click(".notification-toast .monaco-button");
  const found = () => page.$$eval(".settings-editor .search-container", (all) => all.some((one) => one.textContent.includes("urlint.path")));
  await until("the setting", found);
  await until("the setting of the remote machine", async () =>
    (await texts(".settings-editor .action-item.checked, .settings-editor .action-label.checked")).some((text) => text.startsWith("Remote")));
  console.log("ok: the button opens the setting of the remote machine");

  settings(program);
  await until("a server again", () => servers() === 1);
  console.log("ok: a mended path starts the server");
} finally {
  await browser.close();
  server.kill();
  rmSync(top, { recursive: true, force: true });
}
