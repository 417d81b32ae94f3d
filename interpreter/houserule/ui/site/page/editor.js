// The editor: CodeMirror with the words of the language and the design of the page.
import { autocompletion, snippetCompletion } from "@codemirror/autocomplete";
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import words from "./words.json";

const opening = new Set(words.opening), keywords = new Set(words.keywords), values = new Set(words.values);

// `begins` is true where a line or statement begins.
const language = StreamLanguage.define({
  name: "houserule",
  startState: () => ({ begins: true, named: false }),
  token(stream, state) {
    if (stream.sol()) Object.assign(state, { begins: true, named: false });
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    const { begins, named } = state;
    Object.assign(state, { begins: false, named: false });
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (stream.match(/^\[[^\]]*\]?/)) return "meta";
    if (stream.match(/^[0-9]+/)) return "number";
    const word = stream.match(/^[A-Za-z][A-Za-z0-9_]*/)?.[0];
    if (!word) {
      state.begins = /[:;]/.test(stream.next());
      return null;
    }
    if (begins && opening.has(word)) return (state.named = true), "keyword";
    if (named && stream.match(/^[A-Za-z0-9_.]*(?=\s*[(:"])/)) return "definition";
    if (values.has(word)) return "atom";
    if (keywords.has(word)) return "operatorKeyword";
    return /^[A-Z]/.test(word) ? "typeName" : null;
  },
  tokenTable: { definition: tags.definition(tags.variableName) },
  languageData: { commentTokens: { line: "#" } },
});

const colours = HighlightStyle.define([
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--good)" },
  { tag: tags.meta, color: "var(--quiet)" },
  { tag: [tags.number, tags.atom], color: "var(--seat-4)" },
  { tag: tags.keyword, color: "var(--strong)", fontWeight: "600" },
  { tag: tags.operatorKeyword, color: "var(--strong)" },
  { tag: tags.definition(tags.variableName), color: "var(--accent)", fontWeight: "600" },
  { tag: tags.typeName, color: "var(--seat-6)" },
]);

const look = EditorView.theme({
  "&": { backgroundColor: "var(--card)", color: "var(--ink)", fontSize: "var(--letters)" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: 'ui-monospace, "Cascadia Mono", Menlo, monospace', minHeight: "15rem", maxHeight: "var(--tallest)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--sunk)", color: "var(--quiet)", border: "none" },
  ".cm-foldGutter": { display: "none" }, // nothing can be folded
  ".cm-gutter-lint": { width: "1.1em" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--sunk) 45%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "var(--line)", color: "var(--ink)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--mark)" },
  ".cm-tooltip, .cm-panels": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-textfield, .cm-button": { background: "var(--sunk)", color: "var(--ink)", border: "1px solid var(--quiet)" },
  ".cm-diagnostic": { fontFamily: "system-ui, sans-serif" },
});

// In a shadow root CodeMirror needs no inline style, which the page forbids.
export function edit(parent, label, changed, complete) {
  const fitting = async ({ pos, state, explicit }) => {
    const line = state.doc.lineAt(pos), column = pos - line.from + 1;
    if (!explicit && !/[\w.]$/.test(line.text.slice(0, column - 1))) return null;
    const found = await complete(state.doc.toString(), line.number, column);
    if (!found.length) return null;
    const options = found.map(({ label, kind, detail, insert }) => {
      const type = { keyword: "keyword", form: "text", action: "function", component: "class" }[kind] ?? "variable";
      const shown = { label: kind === "form" ? detail : label, detail: kind === "form" ? "" : detail, type };
      return kind === "form" ? snippetCompletion(insert, shown) : shown;
    });
    return { from: line.from + found[0].start - 1, options, validFor: /^[\w.]*$/ };
  };
  const root = parent.attachShadow({ mode: "open" });
  const view = new EditorView({
    root,
    parent: root,
    extensions: [
      basicSetup, language, syntaxHighlighting(colours), look, lintGutter(), EditorView.lineWrapping,
      autocompletion({ override: [fitting] }),
      EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
      EditorView.updateListener.of((update) => update.docChanged && changed()),
    ],
  });
  const at = (line, column) => {
    const found = view.state.doc.line(Math.max(1, Math.min(line, view.state.doc.lines)));
    return Math.min(found.from + Math.max(0, column), found.to);
  };
  return {
    text: () => view.state.doc.toString(),
    write: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    replace({ line, column, end_line, end_column, text }) {
      const [from, to] = [at(line, column - 1), at(end_line, end_column - 1)];
      view.dispatch({ changes: { from, to, insert: text } });
      view.focus();
    },
    go(line, column) {
      view.dispatch({ selection: { anchor: at(line, column) }, scrollIntoView: true });
      view.focus();
    },
    mark(places) {
      const marks = places.map(({ severity, message, line, column, end_line, end_column }) => {
        const from = at(line, column - 1), to = at(end_line, end_column - 1);
        return { from, to: Math.max(from, to), severity: severity === "note" ? "info" : severity, message };
      });
      view.dispatch(setDiagnostics(view.state, marks));
    },
  };
}
