// Starts `urlint lsp`, and hands it the settings of the editor.
"use strict";

const { execFile } = require("node:child_process");
const vscode = require("vscode");
const {
  CloseAction,
  LanguageClient,
  RevealOutputChannelOn,
  State,
} = require("vscode-languageclient/node");

// How long a program may take to say its version, in milliseconds.
const PATIENCE = 10_000;

let client;
let output;
// Shows that the configuration is wrong, until it is read again.
let mistake;
// The settings that have the names of keys of urlint.toml.
let keys = [];
// Starts and stops happen one after another.
let queue = Promise.resolve();

/** Does `task` after all tasks before it, whether or not these have failed. */
function next(task) {
  queue = queue.then(task, task);
  return queue;
}

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

/** A client that leaves it to this extension to tell the user about failures, and only logs them. */
class Client extends LanguageClient {
  error(message, data) {
    // That a server which has been told to end does so is no error.
    const log = this.isStopping ? super.info : super.error;
    log.call(this, message, data, false);
  }

  async stop(timeout) {
    // The library refuses to stop a client that does not run.
    if (this.isRunning()) {
      this.isStopping = true;
      await super.stop(timeout);
    }
  }

  // The server may close the connection first.
  async handleConnectionClosed() {
    if (!this.isStopping) {
      await super.handleConnectionClosed();
    }
  }
}

/** Fails unless `command` is urlint. */
function verify(command) {
  return new Promise((resolve, reject) => {
    const child = execFile(command, ["--version"], { timeout: PATIENCE }, (error, said) => {
      if (said.startsWith("urlint ")) {
        resolve();
      } else if (typeof error?.code === "string") {
        reject(new Error(error.message));
      } else {
        reject(new Error(`${command} is not urlint`));
      }
    });
    child.stdin?.end();
  });
}

/** Returns a client that runs `command`. */
function clientOf(command) {
  const made = new Client("urlint", "urlint", { command, args: ["lsp"] }, {
    documentSelector: [{ scheme: "file" }, { scheme: "untitled" }],
    initializationOptions: settings(),
    outputChannel: output,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    initializationFailedHandler: () => false,
    errorHandler: {
      error: (...failure) => usual.error(...failure),
      closed() {
        if (made.state === State.Starting) {
          return { action: CloseAction.DoNotRestart };
        }
        const then = usual.closed();
        if (then.message) {
          vscode.window.showErrorMessage(then.message);
        }
        return then;
      },
    },
    connectionOptions: {
      messageStrategy: {
        handleMessage(message, handle) {
          if (message.method === "window/showMessage" && message.params.type === 1) {
            showMistake(message.params.message);
          } else {
            handle(message);
          }
        },
      },
    },
    middleware: {
      workspace: {
        // These are the files of the configuration. The server reads them again, and then reports their mistakes.
        didChangeWatchedFile(event, tell) {
          mistake.hide();
          return tell(event);
        },
      },
    },
  });
  const usual = made.createDefaultErrorHandler();
  return made;
}

/** Shows a mistake in the configuration. A message could not be taken back once it is mended. */
function showMistake(message) {
  output.appendLine(message);
  mistake.tooltip = message;
  mistake.show();
}

async function start() {
  const command = vscode.workspace.getConfiguration("urlint").get("path") || "urlint";
  try {
    await verify(command);
    client = clientOf(command);
    await client.start();
  } catch (error) {
    client = undefined;
    // Nothing else waits for the answer.
    offerSettings(error.message ?? error);
  }
}

async function offerSettings(reason) {
  const { remoteName } = vscode.env;
  const where = remoteName ? " in the settings of the remote machine" : "";
  const message = `urlint does not start: ${reason}. Install it, or set urlint.path${where}.`;
  if (await vscode.window.showErrorMessage(message, "Open settings")) {
    const kind = remoteName ? "openRemoteSettings" : "openSettings";
    await vscode.commands.executeCommand(`workbench.action.${kind}`, { query: "urlint.path" });
  }
}

async function stop() {
  const running = client;
  client = undefined;
  mistake.hide();
  // A server that does not end in time is killed.
  await running?.stop().catch((error) => output.appendLine(`${error.message ?? error}`));
}

function restart() {
  return next(async () => {
    await stop();
    await start();
  });
}

exports.activate = async (context) => {
  const { configuration } = context.extension.packageJSON.contributes;
  const names = Object.keys(configuration.properties).map((name) => name.slice("urlint.".length));
  keys = names.filter((name) => name !== "path");
  output = vscode.window.createOutputChannel("urlint");
  mistake = vscode.window.createStatusBarItem(vscode.StatusBarAlignment.Left);
  mistake.text = "$(error) urlint: configuration";
  mistake.backgroundColor = new vscode.ThemeColor("statusBarItem.errorBackground");
  mistake.command = "urlint.showOutput";
  context.subscriptions.push(
    output,
    mistake,
    vscode.commands.registerCommand("urlint.restart", restart),
    vscode.commands.registerCommand("urlint.showOutput", () => output.show()),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("urlint.path")) {
        await restart();
      } else if (event.affectsConfiguration("urlint") && client?.isRunning()) {
        mistake.hide();
        await client.sendNotification("workspace/didChangeConfiguration", {
          settings: { urlint: settings() },
        });
      }
    }),
  );
  await next(start);
};

exports.deactivate = () => next(stop);
