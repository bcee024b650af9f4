// A page that is told what happens: it says whether the connection stands, and catches up by itself.
"use strict";

function followLive(address, event, take) {
  const lost = document.getElementById("lost");
  const linkState = document.getElementById("link-state");
  const say = (state) => {
    linkState.textContent = state;
    linkState.dataset.state = state;
    lost.hidden = state !== "connection lost";
  };
  const source = new EventSource(address);
  source.addEventListener(event, (told) => take(told.data));
  for (const begun of ["begun", "back"]) source.addEventListener(begun, () => say("live"));
  for (const broken of ["lost", "error"]) source.addEventListener(broken, () => say("connection lost"));
  // What came meanwhile is too much to be told again, or nobody is signed in any more.
  for (const anew of ["reload", "signed-out"]) source.addEventListener(anew, () => location.reload());
  addEventListener("pagehide", () => source.close());
}
