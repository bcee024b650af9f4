// Goes through the facts of a round. Every felt is in the page already: a step shows another one.
"use strict";

(() => {
  const replay = document.getElementById("replay");
  const facts = [...document.querySelectorAll("#facts > li")];
  const pictures = [...document.querySelectorAll(".felt")];
  const slider = document.getElementById("slider");
  const caption = document.getElementById("caption");
  const speed = document.getElementById("speed");
  const player = replay.querySelector('[data-go="play"]');
  const PAUSE_MIN = 350, PAUSE_MAX = 2500;  // milliseconds on the screen at single speed
  let now = Number(replay.dataset.step);
  let timer = 0;

  function show(step) {
    now = Math.min(Math.max(step, 1), facts.length);
    const fact = facts[now - 1];
    for (const each of facts) each.removeAttribute("aria-current");
    fact.setAttribute("aria-current", "step");
    const list = fact.parentElement;
    const above = fact.offsetTop - list.offsetTop;
    if (above < list.scrollTop || above + fact.offsetHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = above - list.clientHeight / 2;
    }
    for (const picture of pictures) picture.toggleAttribute("hidden", picture.id !== `picture-${fact.dataset.picture}`);
    for (const seat of document.querySelectorAll(".felt:not([hidden]) .seat")) {
      seat.classList.toggle("acts", seat.dataset.seat === fact.dataset.seat);
      seat.classList.toggle("wrong", seat.dataset.seat === fact.dataset.seat && fact.classList.contains("found"));
    }
    slider.value = now;
    caption.textContent = `Step ${now} of ${facts.length}: ${fact.querySelector(".words").textContent}`;
    const address = new URL(location.href);
    address.searchParams.set("step", now);
    history.replaceState(null, "", address);
  }

  function pause() {
    clearTimeout(timer);
    timer = 0;
    offer("play");
  }

  function offer(what) {
    const drawn = player.querySelector("use");
    drawn.setAttribute("href", drawn.getAttribute("href").replace(/#.*/, `#${what}`));
    player.setAttribute("aria-pressed", what === "pause");
    player.setAttribute("aria-label", what === "pause" ? "Pause" : "Play");
  }

  // As fast as it happened, but nobody waits long for a slow hand.
  function next() {
    if (now >= facts.length) return pause();
    const gone = Number(facts[now].dataset.at) - Number(facts[now - 1].dataset.at);
    const wait = Math.min(Math.max(gone, PAUSE_MIN), PAUSE_MAX) / Number(speed.value);
    timer = setTimeout(() => { show(now + 1); next(); }, wait);
  }

  function play() {
    if (timer) return pause();
    if (now >= facts.length) show(1);
    offer("pause");
    next();
  }

  const ways = {
    first: () => { pause(); show(1); },
    back: () => { pause(); show(now - 1); },
    play,
    forward: () => { pause(); show(now + 1); },
    last: () => { pause(); show(facts.length); },
    finding: () => {  // the next one; after the last, the first again
      pause();
      const found = facts.flatMap((fact, at) => fact.classList.contains("found") ? [at + 1] : []);
      const next = found.find((step) => step > now) ?? found[0];
      if (next) show(next);
    },
  };
  const keys = { Home: "first", ArrowLeft: "back", " ": "play", ArrowRight: "forward", End: "last", f: "finding", F: "finding" };

  for (const button of replay.querySelectorAll("[data-go]")) {
    button.addEventListener("click", ways[button.dataset.go]);
  }
  for (const link of document.querySelectorAll("a[data-step]")) {
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      pause();
      show(Number(link.dataset.step));
    });
  }
  slider.addEventListener("input", () => { pause(); show(Number(slider.value)); });
  document.addEventListener("keydown", (event) => {
    const typed = event.target.closest("input, select, textarea, button, summary");
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (typed && (event.key === " " || typed.matches("input, select, textarea"))) return;
    const way = keys[event.key];
    if (!way) return;
    event.preventDefault();
    ways[way]();
  });

  document.getElementById("print").addEventListener("click", () => window.print());
  const copy = document.getElementById("copy-link");
  copy.addEventListener("click", async () => {
    const address = new URL(copy.dataset.link, location.origin);
    address.searchParams.set("step", now);
    const said = copy.querySelector("span");
    try {
      await navigator.clipboard.writeText(address.href);
      said.textContent = "Copied";
    } catch {
      said.textContent = address.href;
    }
    setTimeout(() => { said.textContent = "Copy link to this step"; }, 3000);
  });
  show(now);
})();
