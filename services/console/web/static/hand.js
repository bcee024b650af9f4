// Replays a round. All felts are in the page already: a step shows one of them.
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
    for (const item of facts) item.removeAttribute("aria-current");
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
    setPlayButton("play");
  }

  function setPlayButton(icon) {
    const drawn = player.querySelector("use");
    drawn.setAttribute("href", drawn.getAttribute("href").replace(/#.*/, `#${icon}`));
    player.setAttribute("aria-pressed", icon === "pause");
    player.setAttribute("aria-label", icon === "pause" ? "Pause" : "Play");
  }

  // At the pace of play, with bounded pauses.
  function next() {
    if (now >= facts.length) return pause();
    const elapsed = Number(facts[now].dataset.at) - Number(facts[now - 1].dataset.at);
    const wait = Math.min(Math.max(elapsed, PAUSE_MIN), PAUSE_MAX) / Number(speed.value);
    timer = setTimeout(() => { show(now + 1); next(); }, wait);
  }

  function play() {
    if (timer) return pause();
    if (now >= facts.length) show(1);
    setPlayButton("pause");
    next();
  }

  const actions = {
    first: () => { pause(); show(1); },
    back: () => { pause(); show(now - 1); },
    play,
    forward: () => { pause(); show(now + 1); },
    last: () => { pause(); show(facts.length); },
    finding: () => {  // after the last finding, the first again
      pause();
      const found = facts.flatMap((fact, at) => fact.classList.contains("found") ? [at + 1] : []);
      const next = found.find((step) => step > now) ?? found[0];
      if (next) show(next);
    },
  };
  const keys = { Home: "first", ArrowLeft: "back", " ": "play", ArrowRight: "forward", End: "last", f: "finding", F: "finding" };

  for (const button of replay.querySelectorAll("[data-go]")) {
    button.addEventListener("click", actions[button.dataset.go]);
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
    const action = keys[event.key];
    if (!action) return;
    event.preventDefault();
    actions[action]();
  });

  document.getElementById("print").addEventListener("click", () => window.print());
  const copy = document.getElementById("copy-link");
  copy.addEventListener("click", async () => {
    const address = new URL(copy.dataset.link, location.origin);
    address.searchParams.set("step", now);
    const label = copy.querySelector("span");
    try {
      await navigator.clipboard.writeText(address.href);
      label.textContent = "Copied";
    } catch {
      label.textContent = address.href;
    }
    setTimeout(() => { label.textContent = "Copy link"; }, 3000);
  });
  show(now);
})();
