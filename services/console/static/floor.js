// Cards of tables, each replaced when something about it has changed.
"use strict";

(() => {
  const floor = document.getElementById("floor");
  const lost = document.getElementById("lost");
  const linkState = document.getElementById("link-state");
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
  function say(state) {
    linkState.textContent = state;
    linkState.dataset.state = state;
    lost.hidden = state !== "connection lost";
  }
  const source = new EventSource(floor.dataset.live);
  source.addEventListener("begun", () => say("live"));
  source.addEventListener("table", (event) => {
    parser.innerHTML = event.data;
    const card = parser.content.firstElementChild;
    if (!card) return;
    if (!waiting.size) requestAnimationFrame(flush);
    waiting.set(card.id, card);
  });
  source.addEventListener("lost", () => say("connection lost"));
  source.addEventListener("back", () => say("live"));
  source.addEventListener("reload", () => location.reload());
  source.addEventListener("signed-out", () => location.reload());
  source.addEventListener("error", () => say("connection lost"));
  addEventListener("pagehide", () => source.close());
})();
