// As much of the interface of VS Code as the extension uses; it records what is registered.
"use strict";
class Position { constructor(line, character) { Object.assign(this, { line, character }); } }
class Range { constructor(start, end) { Object.assign(this, { start, end }); } }
const plain = (name, ...fields) => ({ [name]: class {
  constructor(...values) { fields.forEach((field, n) => (this[field] = values[n])); }
} })[name];
const providers = {}, registered = {}, shown = { messages: {}, output: "", html: "", told: [] }, events = {};
const disposable = { dispose() {} };
const event = (name) => (act) => ((events[name] = act), disposable);
const register = (name) => (files, provider) => ((providers[name] = provider), disposable);

class WorkspaceEdit {
  changes = {};
  set(uri, edits) { this.changes[`${uri}`] = edits; }
}

module.exports = {
  Position, Range, WorkspaceEdit, providers, registered, shown, events,
  Location: plain("Location", "uri", "range"),
  TextEdit: plain("TextEdit", "range", "newText"),
  Diagnostic: plain("Diagnostic", "range", "message", "severity"),
  DiagnosticRelatedInformation: plain("DiagnosticRelatedInformation", "location", "message"),
  CompletionItem: plain("CompletionItem", "label", "kind"),
  SnippetString: plain("SnippetString", "value"),
  MarkdownString: plain("MarkdownString", "value"),
  Hover: plain("Hover", "contents", "range"),
  DocumentHighlight: plain("DocumentHighlight", "range"),
  DocumentSymbol: plain("DocumentSymbol", "name", "detail", "kind", "range", "selectionRange"),
  SemanticTokens: plain("SemanticTokens", "data"),
  SemanticTokensLegend: plain("SemanticTokensLegend", "kinds", "modifiers"),
  CodeAction: plain("CodeAction", "title", "kind"),
  CodeLens: plain("CodeLens", "range", "command"),
  CodeActionKind: { QuickFix: "quickfix" },
  ViewColumn: { Beside: 2 },
  Uri: { parse: (text) => ({ scheme: "file", toString: () => text }) },
  languages: {
    createDiagnosticCollection: () => ({ set: (uri, found) => (shown.messages[`${uri}`] = found), dispose() {} }),
    registerCompletionItemProvider: register("completion"),
    registerHoverProvider: register("hover"),
    registerDefinitionProvider: register("definition"),
    registerReferenceProvider: register("references"),
    registerDocumentHighlightProvider: register("highlights"),
    registerRenameProvider: register("rename"),
    registerDocumentFormattingEditProvider: register("formatting"),
    registerDocumentSymbolProvider: register("symbols"),
    registerDocumentSemanticTokensProvider: register("tokens"),
    registerCodeLensProvider: register("lenses"),
    registerCodeActionsProvider: register("actions"),
  },
  workspace: {
    textDocuments: [],
    getConfiguration: () => ({ get: () => JSON.parse(process.env.HOUSERULE_COMMAND) }),
    createFileSystemWatcher: () => ({ onDidCreate: event("created"), onDidChange: event("saved"), onDidDelete: event("deleted"), dispose() {} }),
    onDidOpenTextDocument: event("opened"),
    onDidChangeTextDocument: event("changed"),
    onDidCloseTextDocument: event("closed"),
  },
  commands: {
    registerCommand: (name, act) => ((registered[name] = act), disposable),
    executeCommand: (...given) => shown.told.push(given),
  },
  window: {
    createOutputChannel: () => ({ append() {}, appendLine: (text) => (shown.output += text), show() {}, dispose() {} }),
    createWebviewPanel: () => ({ webview: { set html(text) { shown.html = text; } } }),
    showInformationMessage: (text) => shown.told.push(text),
    showErrorMessage: (text) => shown.told.push(text),
  },
};
