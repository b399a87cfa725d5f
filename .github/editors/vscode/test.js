// Tests the extension with stand-ins for the editor and the library of the protocol; `trial.mjs` has the real ones.
"use strict";

const assert = require("node:assert/strict");
const { chmodSync, mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { after, beforeEach, test } = require("node:test");
const { setTimeout: sleep } = require("node:timers/promises");

const folder = mkdtempSync(join(tmpdir(), "urlint-"));
after(() => rmSync(folder, { recursive: true }));

/** Returns a program that says `version`. */
function program(name, version) {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\necho ${version}\n`);
  chmodSync(path, 0o755);
  return path;
}
const good = program("urlint", "urlint 0.1.0");

// The state and the messages of the editor.
let editor;
// The clients that run, and the most that ever did.
let running;
let most;

class LanguageClient {
  constructor(id, name, command, options) {
    Object.assign(this, { command, options, state: 1 });
  }
  createDefaultErrorHandler() {
    return {};
  }
  isRunning() {
    return this.state === 2;
  }
  async start() {
    running.add(this);
    most = Math.max(most, running.size);
    this.state = 3;
    await sleep(20);
    this.state = 2;
  }
  async stop() {
    assert.equal(this.state, 2, "the library refuses to stop a client that does not run");
    this.state = 1;
    await this.handleConnectionClosed();
    await sleep(20);
    this.error("Server process exited with code 0.");
    running.delete(this);
  }
  error(message, data, shows) {
    assert.equal(shows, false);
    editor.logged.push(message);
  }
  info() {}
  async handleConnectionClosed() {
    this.error("Connection to server got closed.");
  }
  async sendNotification(method) {
    editor.sent.push(method);
  }
}

const vscode = {
  StatusBarAlignment: {},
  ThemeColor: class {},
  env: {},
  commands: {
    registerCommand: (name, task) => (editor.commands[name] = task),
    executeCommand: async (...all) => editor.executed.push(all),
  },
  window: {
    createOutputChannel: () => {
      editor.channels += 1;
      return { appendLine: (line) => editor.logged.push(line) };
    },
    createStatusBarItem: () => ({
      show() {
        editor.mistake = this.tooltip;
      },
      hide() {
        editor.mistake = undefined;
      },
    }),
    showErrorMessage: async (message, button) => {
      editor.messages.push(message);
      return button;
    },
  },
  workspace: {
    getConfiguration: () => ({
      get: (key) => editor.settings[key],
      inspect: (key) => ({ globalValue: editor.settings[key] }),
    }),
    onDidChangeConfiguration: (listener) => (editor.changed = listener),
  },
};
const library = {
  LanguageClient,
  CloseAction: { DoNotRestart: 1 },
  RevealOutputChannelOn: {},
  State: { Starting: 3 },
};
const load = Module._load;
Module._load = (name, ...more) =>
  ({ vscode, "vscode-languageclient/node": library })[name] ?? load(name, ...more);
const extension = require("./extension.js");

const context = { subscriptions: [], extension: { packageJSON: require("./package.json") } };
async function activate(settings) {
  editor.settings = settings;
  await extension.activate(context);
}
async function set(settings) {
  Object.assign(editor.settings, settings);
  const names = Object.keys(settings).map((name) => `urlint.${name}`);
  await editor.changed({ affectsConfiguration: (name) => name === "urlint" || names.includes(name) });
}

beforeEach(() => {
  running = new Set();
  most = 0;
  vscode.env = {};
  editor = { channels: 0, commands: {}, executed: [], logged: [], messages: [], sent: [] };
});

test("restarts leave one server and one output channel, and log no error", async () => {
  await Promise.all([activate({ path: good }), ...[1, 2, 3].map(() => editor.commands["urlint.restart"]())]);
  assert.equal(running.size, 1);
  assert.equal(most, 1);
  assert.equal(editor.channels, 1);
  assert.deepEqual(editor.logged, []);
  await extension.deactivate();
  assert.equal(running.size, 0);
  assert.deepEqual(editor.logged, []);
});

test("a program that is not urlint gives one message, which leads to the setting", async () => {
  const other = program("other", "other 1.0");
  await activate({ path: other });
  assert.deepEqual(editor.messages, [
    `urlint does not start: ${other} is not urlint. Install it, or set urlint.path.`,
  ]);
  assert.deepEqual(editor.executed, [["workbench.action.openSettings", { query: "urlint.path" }]]);
  assert.equal(most, 0);

  vscode.env = { remoteName: "ssh-remote" };
  await set({ path: join(folder, "missing") });
  assert.match(editor.messages[1], /ENOENT.*set urlint.path in the settings of the remote machine\.$/);
  assert.equal(editor.executed[1][0], "workbench.action.openRemoteSettings");

  await set({ path: good });
  assert.equal(editor.messages.length, 2);
  assert.equal(running.size, 1);
  await extension.deactivate();
});

test("a mistake of the configuration is shown until it is read again", async () => {
  await activate({ path: good, select: ["nothing"] });
  const [{ options }] = running;
  assert.deepEqual(options.initializationOptions, { path: good, select: ["nothing"] });
  const handled = [];
  const say = (type, message) =>
    options.connectionOptions.messageStrategy.handleMessage(
      { method: "window/showMessage", params: { type, message } },
      ({ params }) => handled.push(params.message),
    );
  say(1, "wrong");
  assert.equal(editor.mistake, "wrong");
  options.middleware.workspace.didChangeWatchedFile({}, () => handled.push("told"));
  assert.equal(editor.mistake, undefined);
  say(1, "wrong");
  await set({ select: [] });
  assert.equal(editor.mistake, undefined);
  assert.deepEqual(editor.sent, ["workspace/didChangeConfiguration"]);
  say(2, "longer");
  assert.deepEqual(handled, ["told", "longer"]);
  await extension.deactivate();
});
