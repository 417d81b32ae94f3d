// A client of `houserule lsp` with nothing but the interface of VS Code.
"use strict";
const vscode = require("vscode");
const { Client } = require("./client");

const FILES = [{ scheme: "file", language: "houserule" }, { scheme: "file", language: "yaml" }];
const KINDS = ["keyword", "function", "variable", "type", "enumMember", "namespace", "property"];
let client;

const place = ({ line, character }) => new vscode.Position(line, character);
const range = ({ start, end }) => new vscode.Range(place(start), place(end));
const location = ({ uri, range: at }) => new vscode.Location(vscode.Uri.parse(uri), range(at));
const edit = ({ range: at, newText }) => new vscode.TextEdit(range(at), newText);

function edits({ changes }) {
  const all = new vscode.WorkspaceEdit();
  for (const [uri, some] of Object.entries(changes)) all.set(vscode.Uri.parse(uri), some.map(edit));
  return all;
}

function command({ title, command: name, arguments: given }) {
  return { title, command: name, arguments: given };
}

// The numbers of the protocol begin with 1, those of VS Code with 0.
function diagnostic(each) {
  const made = new vscode.Diagnostic(range(each.range), each.message, each.severity - 1);
  made.relatedInformation = (each.relatedInformation ?? []).map(
    ({ location: at, message }) => new vscode.DiagnosticRelatedInformation(location(at), message));
  return Object.assign(made, { code: each.code, source: each.source, said: each });
}

function completion(each) {
  const made = new vscode.CompletionItem(each.label, each.kind - 1);
  const { newText, range: at } = each.textEdit;
  made.insertText = each.insertTextFormat === 2 ? new vscode.SnippetString(newText) : newText;
  made.range = range(at);
  const { detail, documentation, filterText, sortText } = each;
  return Object.assign(made, { detail, documentation, filterText, sortText });
}

function symbol(each) {
  const { name, detail, kind } = each;
  const made = new vscode.DocumentSymbol(name, detail, kind - 1, range(each.range), range(each.selectionRange));
  made.children = each.children.map(symbol);
  return made;
}

function action(each, shown) {
  const made = new vscode.CodeAction(each.title, vscode.CodeActionKind.QuickFix);
  if (each.edit) made.edit = edits(each.edit);
  if (each.command) made.command = command(each.command);
  made.diagnostics = shown;
  return made;
}

function providers() {
  const ask = async (method, document, more, read, signal) => {
    const found = await client.request(`textDocument/${method}`, { textDocument: { uri: `${document.uri}` }, ...more }, signal);
    return found === null ? null : read(found);
  };
  const at = (position) => ({ position: { line: position.line, character: position.character } });
  const many = (read) => (found) => found.map(read);
  const { languages } = vscode;
  return [
    languages.registerCompletionItemProvider(FILES, {
      provideCompletionItems: (d, p, signal) => ask("completion", d, at(p), many(completion), signal),
    }, ".", "["),
    languages.registerHoverProvider(FILES, {
      provideHover: (d, p, signal) => ask("hover", d, at(p), ({ contents, range: word }) =>
        new vscode.Hover(new vscode.MarkdownString(contents.value), range(word)), signal),
    }),
    languages.registerDefinitionProvider(FILES, {
      provideDefinition: (d, p, signal) => ask("definition", d, at(p), many(location), signal),
    }),
    languages.registerReferenceProvider(FILES, {
      provideReferences: (d, p, _, signal) =>
        ask("references", d, { ...at(p), context: { includeDeclaration: true } }, many(location), signal),
    }),
    languages.registerDocumentHighlightProvider(FILES, {
      provideDocumentHighlights: (d, p, signal) => ask("documentHighlight", d, at(p),
        many((each) => new vscode.DocumentHighlight(range(each.range))), signal),
    }),
    languages.registerRenameProvider(FILES, {
      provideRenameEdits: (d, p, newName, signal) => ask("rename", d, { ...at(p), newName }, edits, signal),
      prepareRename: async (d, p, signal) => {
        const found = await ask("prepareRename", d, at(p), range, signal);
        if (!found) throw new Error("Here is no name that can be renamed.");
        return found;
      },
    }),
    languages.registerDocumentFormattingEditProvider(FILES[0], {
      provideDocumentFormattingEdits: (d, { tabSize, insertSpaces }, signal) =>
        ask("formatting", d, { options: { tabSize, insertSpaces } }, many(edit), signal),
    }),
    languages.registerDocumentSymbolProvider(FILES[0], {
      provideDocumentSymbols: (d, signal) => ask("documentSymbol", d, {}, many(symbol), signal),
    }),
    languages.registerDocumentSemanticTokensProvider(FILES[0], {
      provideDocumentSemanticTokens: (d, signal) => ask("semanticTokens/full", d, {},
        ({ data }) => new vscode.SemanticTokens(new Uint32Array(data)), signal),
    }, new vscode.SemanticTokensLegend(KINDS, [])),
    languages.registerCodeLensProvider(FILES, {
      provideCodeLenses: (d, signal) => ask("codeLens", d, {},
        many((each) => new vscode.CodeLens(range(each.range), command(each.command))), signal),
    }),
    languages.registerCodeActionsProvider(FILES, {
      provideCodeActions: (d, where, { diagnostics }, signal) => {
        const shown = diagnostics.filter((each) => each.said);
        const { start, end } = where;
        return shown.length === 0 ? [] : ask("codeAction", d,
          { range: { start, end }, context: { diagnostics: shown.map((each) => each.said) } },
          many((each) => action(each, shown)), signal);
      },
    }),
  ];
}

function documents(collection) {
  const { workspace } = vscode;
  const ours = ({ uri, languageId }) => uri.scheme === "file" && FILES.some(({ language }) => language === languageId);
  const open = (d) => ours(d) && client.notify("textDocument/didOpen",
    { textDocument: { uri: `${d.uri}`, languageId: d.languageId, version: d.version, text: d.getText() } });
  const watcher = workspace.createFileSystemWatcher("**/*.{rules,yaml}");
  const changed = (type) => (uri) => client.notify("workspace/didChangeWatchedFiles", { changes: [{ uri: `${uri}`, type }] });
  client.on("textDocument/publishDiagnostics", ({ uri, diagnostics }) =>
    collection.set(vscode.Uri.parse(uri), diagnostics.map(diagnostic)));
  workspace.textDocuments.forEach(open);
  return [
    watcher, watcher.onDidCreate(changed(1)), watcher.onDidChange(changed(2)), watcher.onDidDelete(changed(3)),
    workspace.onDidOpenTextDocument(open),
    workspace.onDidChangeTextDocument(({ document: d }) => ours(d) && client.notify("textDocument/didChange",
      { textDocument: { uri: `${d.uri}`, version: d.version }, contentChanges: [{ text: d.getText() }] })),
    workspace.onDidCloseTextDocument((d) => ours(d) && client.notify("textDocument/didClose", { textDocument: { uri: `${d.uri}` } })),
  ];
}

function commands(output) {
  const here = () => `${vscode.window.activeTextEditor?.document.uri ?? ""}`;
  const run = (name, ...given) => client.request("workspace/executeCommand", { command: name, arguments: given });
  const register = vscode.commands.registerCommand;
  return [
    register("houserule.runExamples", async (uri = here(), names = []) => {
      output.appendLine((await run("houserule.runExamples", uri, names)) ?? "This file has no examples.");
      output.show(true);
    }),
    register("houserule.showTurn", async (uri = here()) => {
      const picture = await run("houserule.showTurn", uri, "svg");
      if (!picture) return;
      const panel = vscode.window.createWebviewPanel("houserule.turn", "The turn", vscode.ViewColumn.Beside, {});
      panel.webview.html = `<!doctype html><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><body style="background: white">${picture}</body>`;
    }),
    register("houserule.showPlaces", (uri, position, places) => vscode.commands.executeCommand(
      "editor.action.showReferences", vscode.Uri.parse(uri), place(position), places.map(location))),
    register("houserule.type", (text) => {
      const terminal = vscode.window.activeTerminal ?? vscode.window.createTerminal("houserule");
      terminal.show();
      terminal.sendText(text, false); // you press Enter
    }),
  ];
}

exports.activate = async (context) => {
  const output = vscode.window.createOutputChannel("Houserule");
  const collection = vscode.languages.createDiagnosticCollection("houserule");
  const [program, ...given] = vscode.workspace.getConfiguration("houserule").get("command");
  client = new Client(program, given, (line) => output.append(line));
  client.on("window/showMessage", ({ message }) => vscode.window.showInformationMessage(message));
  context.subscriptions.push(output, collection, { dispose: () => client.stop() });
  try {
    await client.start(vscode.workspace.workspaceFolders?.[0]?.uri);
  } catch (error) {
    vscode.window.showErrorMessage(`Houserule: \`${program}\` does not start (${error.message}). Install it with: pip install 'houserule[lsp]'`);
    return;
  }
  context.subscriptions.push(...documents(collection), ...providers(), ...commands(output));
};

exports.deactivate = () => client?.stop();
