// Table cards, each replaced when it changes.
"use strict";

(() => {
  const floor = document.getElementById("floor");
  const parser = document.createElement("template");
  let queue = new Map();

  function flush() {
    const cards = queue;
    queue = new Map();
    for (const [id, card] of cards) {
      const before = document.getElementById(id);
      if (!before) return location.reload();  // a new table
      card.classList.add("moved");
      before.replaceWith(card);
    }
  }

  followLive(floor.dataset.live, "table", (html) => {
    parser.innerHTML = html;
    const card = parser.content.firstElementChild;
    if (!card) return;
    if (!queue.size) requestAnimationFrame(flush);
    queue.set(card.id, card);
  });
})();
