// Cards of tables, each replaced when something about it has changed.
"use strict";

(() => {
  const floor = document.getElementById("floor");
  const parser = document.createElement("template");
  let waiting = new Map();

  function flush() {
    const cards = waiting;
    waiting = new Map();
    for (const [id, card] of cards) {
      const before = document.getElementById(id);
      if (!before) return location.reload();  // a table that has just opened
      card.classList.add("moved");
      before.replaceWith(card);
    }
  }

  followLive(floor.dataset.live, "table", (html) => {
    parser.innerHTML = html;
    const card = parser.content.firstElementChild;
    if (!card) return;
    if (!waiting.size) requestAnimationFrame(flush);
    waiting.set(card.id, card);
  });
})();
