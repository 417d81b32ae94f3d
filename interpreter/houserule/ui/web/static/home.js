/* Filter the games of the first page at once. Without this script, the form does it. */
"use strict";
(() => {
  const form = document.getElementById("filter"), found = document.getElementById("found");
  const cards = [...document.querySelectorAll(".card[data-least]")];
  document.documentElement.classList.add("scripted");

  function filter() {
    const wish = new FormData(form), players = Number(wish.get("players"));
    const thing = wish.get("thing"), length = wish.get("length");
    const words = wish.get("q").toLocaleLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const card of cards) {
      const { least, most, things, name, length: long } = card.dataset;
      const text = card.querySelector(".summary").textContent.toLocaleLowerCase().split(/[^\p{L}\p{N}_]/u);
      card.hidden = Boolean(players && (players < Number(least) || players > Number(most)))
        || Boolean(thing && !things.split(" ").includes(thing)) || Boolean(length && long !== length)
        || !words.every((word) => name.includes(word) || text.some((each) => each.startsWith(word)));
      count += card.hidden ? 0 : 1;
    }
    const { one, more, none } = found.dataset;
    found.textContent = count === 1 ? one : count ? more.replace("2", count) : none;
    const query = new URLSearchParams([...wish].filter(([name, value]) => value && !(name === "players" && value === "0")));
    history.replaceState(null, "", `?${query}`);
  }
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => { event.preventDefault(); filter(); });
})();
