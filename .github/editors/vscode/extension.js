// Starts `urlint lsp`, and hands it the settings of the editor.
"use strict";

const vscode = require("vscode");
const { LanguageClient, RevealOutputChannelOn } = require("vscode-languageclient/node");

let client;
// The settings that have the names of keys of urlint.toml.
let keys = [];

/** Returns what is set of the keys, without what is left to urlint.toml. */
function settings() {
  const all = vscode.workspace.getConfiguration("urlint");
  // The server takes nothing at all for an editor that has not said anything yet.
  const set = { path: all.get("path") };
  for (const key of keys) {
    const known = all.inspect(key);
    const value =
      known?.workspaceFolderValue ?? known?.workspaceValue ?? known?.globalValue;
    if (value !== undefined && value !== null) {
      set[key] = value;
    }
  }
  return set;
}

async function start() {
  const path = vscode.workspace.getConfiguration("urlint").get("path");
  const command = { command: path || "urlint", args: ["lsp"] };
  client = new LanguageClient("urlint", "urlint", command, {
    documentSelector: [{ scheme: "file" }, { scheme: "untitled" }],
    initializationOptions: settings(),
    revealOutputChannelOn: RevealOutputChannelOn.Never,
  });
  try {
    await client.start();
  } catch (error) {
    const choice = await vscode.window.showErrorMessage(
      `urlint does not start: ${error.message ?? error}. Install it, or set urlint.path.`,
      "Open settings",
    );
    if (choice) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "urlint.path");
    }
  }
}

async function stop() {
  const running = client;
  client = undefined;
  if (running?.needsStop()) {
    await running.stop();
  }
}

async function restart() {
  await stop();
  await start();
}

exports.activate = async (context) => {
  const { configuration } = context.extension.packageJSON.contributes;
  const names = Object.keys(configuration.properties).map((name) => name.slice("urlint.".length));
  keys = names.filter((name) => name !== "path");
  context.subscriptions.push(
    vscode.commands.registerCommand("urlint.restart", restart),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("urlint.path")) {
        await restart();
      } else if (event.affectsConfiguration("urlint") && client?.isRunning()) {
        await client.sendNotification("workspace/didChangeConfiguration", {
          settings: { urlint: settings() },
        });
      }
    }),
  );
  await start();
};

exports.deactivate = stop;
