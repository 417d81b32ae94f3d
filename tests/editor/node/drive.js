// Uses the extension as VS Code does, and prints what it shows as JSON.
"use strict";
const fs = require("node:fs");
const { pathToFileURL } = require("node:url");
const vscode = require("vscode");
const extension = require("./extension");

const file = process.argv[2], right = fs.readFileSync(file, "utf8");
let text = right.replace("pot at least 1", "pott at least 1");
const uri = vscode.Uri.parse(`${pathToFileURL(file)}`);
const document = { uri, languageId: "houserule", version: 1, getText: () => text };
const at = (words) => {
  const before = text.slice(0, text.indexOf(words)).split("\n");
  return new vscode.Position(before.length - 1, before.at(-1).length);
};
const { providers, shown, registered, events } = vscode;
const messages = async (number) => {
  while ((shown.messages[`${uri}`] ?? []).length !== number) await new Promise((done) => setTimeout(done, 20));
  return shown.messages[`${uri}`];
};

async function drive() {
  const subscriptions = [];
  vscode.workspace.textDocuments.push(document);
  await extension.activate({ subscriptions });
  shown.messages[`${uri}`] = [];
  const [found] = await messages(1);
  const here = { start: found.range.start, end: found.range.end };
  const [action] = await providers.actions.provideCodeActions(document, here, { diagnostics: [found] });
  text = right;
  document.version = 2;
  events.changed({ document });
  await messages(0);
  const place = at("pot at least 1");
  const told = {
    message: found.message,
    fix: action.edit.changes[`${uri}`][0].newText,
    completion: (await providers.completion.provideCompletionItems(document, place)).map((each) => each.label),
    hover: (await providers.hover.provideHover(document, place)).contents.value,
    definition: (await providers.definition.provideDefinition(document, place))[0].range.start.line,
    references: (await providers.references.provideReferences(document, place)).length,
    highlights: (await providers.highlights.provideDocumentHighlights(document, place)).length,
    rename: Object.keys((await providers.rename.provideRenameEdits(document, place, "kitty")).changes).length,
    nothing: await providers.rename.prepareRename(document, new vscode.Position(0, 1)).catch((error) => error.message),
    formatting: await providers.formatting.provideDocumentFormattingEdits(document, { tabSize: 2, insertSpaces: true }),
    symbols: (await providers.symbols.provideDocumentSymbols(document))[0].name,
    tokens: (await providers.tokens.provideDocumentSemanticTokens(document)).data.length % 5,
    lenses: (await providers.lenses.provideCodeLenses(document)).map((each) => each.command.title),
  };
  const gone = { onCancellationRequested: (act) => setTimeout(act) };
  told.cancelled = await providers.hover.provideHover(document, place, gone);
  const lens = (await providers.lenses.provideCodeLenses(document)).find((each) => each.command.command === "houserule.showPlaces");
  registered["houserule.showPlaces"](...lens.command.arguments);
  told.places = shown.told.at(-1)[3].length;
  await registered["houserule.runExamples"](`${uri}`);
  await registered["houserule.showTurn"](`${uri}`);
  Object.assign(told, { output: shown.output, html: shown.html });
  await extension.deactivate();
  console.log(JSON.stringify(told));
}

drive().catch((error) => {
  console.error(error);
  process.exit(1);
});
