// Starts `holloway lsp` for programs in Visual Studio Code, and again when its settings change.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

function start() {
  const settings = vscode.workspace.getConfiguration("holloway");
  const server = { command: settings.get("path"), args: ["lsp"] };
  const options = {
    documentSelector: [{ language: "holloway" }],
    initializationOptions: { run: settings.get("run") },
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{hw,hwrun}") },
  };
  client = new LanguageClient("holloway", "Holloway", server, options);
  return client.start();
}

async function restart() {
  await deactivate();
  await start();
}

function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("holloway.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("holloway")) restart();
    }),
  );
  return start();
}

async function deactivate() {
  const running = client;
  client = undefined;
  if (running) await running.stop();
}

module.exports = { activate, deactivate };
