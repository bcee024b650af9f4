// The live list. New rows are batched and inserted once per frame: a burst of a hundred is one
// change of the page.
"use strict";

(() => {
  const list = document.getElementById("alerts");
  const none = document.getElementById("none");
  const soundButton = document.getElementById("sound");
  const SHOWN_MAX = 400;
  const FRESH_MS = 4000;
  const urgency = { P1: 1, P2: 2, P3: 3, P4: 4 };
  const parser = document.createElement("template");
  let queue = [];
  let hasSound = false;
  let audio = null;
  let lastSound = 0;

  // Whether a row matches the filters of the page.
  function matchesFilters(row) {
    const { level, state, table, text } = list.dataset;
    if (level && urgency[row.dataset.level] > urgency[level]) return false;
    if (state === "open" ? row.dataset.state === "closed" : state && row.dataset.state !== state) return false;
    if (table && row.dataset.table !== table) return false;
    return !text || text.split(/\s+/).every((word) => row.textContent.toLowerCase().includes(word));
  }

  function flush() {
    const rows = queue;
    queue = [];
    const fresh = document.createDocumentFragment();
    let loudest = 9;
    for (const html of rows) {
      parser.innerHTML = html;
      const row = parser.content.firstElementChild;
      if (!row) continue;
      removeForbiddenActions(row);
      const before = document.getElementById(row.id) || fresh.querySelector(`#${CSS.escape(row.id)}`);
      if (!matchesFilters(row)) { before?.remove(); continue; }
      if (before) {
        const selected = before.classList.contains("selected");
        before.replaceWith(row);
        if (selected) select(row);
      } else {
        row.classList.add("fresh");
        setTimeout(() => row.classList.remove("fresh"), FRESH_MS);
        fresh.prepend(row);
        loudest = Math.min(loudest, urgency[row.dataset.level]);
      }
    }
    list.prepend(fresh);
    while (list.children.length > SHOWN_MAX) list.lastElementChild.remove();
    none.hidden = list.children.length > 0;
    if (loudest <= 2) ring(loudest);
  }

  function removeForbiddenActions(row) {
    if (!list.dataset.token) row.querySelector(".acknowledge")?.remove();
  }

  // A short tone, higher for P1; a burst rings once.
  function ring(level) {
    const now = performance.now();
    if (!hasSound || now - lastSound < 1000) return;
    lastSound = now;
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = level === 1 ? 880 : 587;
    volume.gain.setValueAtTime(.2, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(.001, audio.currentTime + .5);
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + .5);
    list.dataset.rung = Number(list.dataset.rung || 0) + 1;
  }

  soundButton.addEventListener("click", () => {
    hasSound = !hasSound;
    if (hasSound) audio ||= new AudioContext();
    soundButton.setAttribute("aria-pressed", hasSound);
    soundButton.querySelector("span").textContent = hasSound ? "Sound on" : "Sound off";
    if (hasSound) { lastSound = 0; ring(2); }
  });

  followLive(list.dataset.live, "alert", (html) => {
    if (!queue.length) requestAnimationFrame(flush);
    queue.push(html);
  });

  // Keyboard and selection.
  function selected() { return list.querySelector(".selected"); }
  function select(row) {
    selected()?.classList.remove("selected");
    if (!row) return;
    row.classList.add("selected");
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: "nearest" });
  }

  async function acknowledge(id) {
    if (!list.dataset.token) return;
    const form = new URLSearchParams({ form_token: list.dataset.token });
    const response = await fetch(`/alerts/${encodeURIComponent(id)}/acknowledge`, {
      method: "POST", body: form, headers: { "hx-request": "true" },
    });
    const row = document.getElementById(`alert-${id}`);
    if (!response.ok) location.assign(`/alerts/${encodeURIComponent(id)}`);
    else row?.querySelector(".acknowledge")?.setAttribute("hidden", "");
  }

  list.addEventListener("click", (event) => {
    const button = event.target.closest("[data-acknowledge]");
    if (button) acknowledge(button.dataset.acknowledge);
  });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea, button")) return;
    const row = selected();
    const actions = {
      ArrowDown: () => select(row ? row.nextElementSibling || row : list.firstElementChild),
      ArrowUp: () => select(row ? row.previousElementSibling || row : list.firstElementChild),
      Enter: () => row && location.assign(row.querySelector(".sentence").href),
      h: () => row?.dataset.hand && location.assign(row.dataset.hand),
      a: () => row && acknowledge(row.dataset.id),
    };
    const action = actions[event.key] || actions[event.key.toLowerCase()];
    if (!action || (event.key === "Enter" && event.target.closest("a"))) return;
    event.preventDefault();
    action();
  });
  for (const row of list.children) removeForbiddenActions(row);
})();
