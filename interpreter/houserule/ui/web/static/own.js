/* Jump from an error to its line, and announce a slow check. Everything works without
   this script. */
"use strict";
(() => {
  const field = document.getElementById("text");
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-line]");
    if (!link) return;
    event.preventDefault();
    const lines = field.value.split("\n"), line = Number(link.dataset.line);
    const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
    const from = before + [...lines[line - 1] ?? ""].slice(0, Number(link.dataset.column) - 1).join("").length;
    field.focus();
    field.setSelectionRange(from, before + (lines[line - 1] ?? "").length);
    field.scrollTop = (line - 4) * (field.scrollHeight / lines.length);
    field.scrollIntoView({ block: "center" });
  });
  field.form.addEventListener("submit", () => {
    const told = document.getElementById("checking");
    told.textContent = told.dataset.busy;
  });
})();
