// A live page: it shows the state of the connection, and catches up after an interruption.
"use strict";

function followLive(address, eventName, handle) {
  const lost = document.getElementById("lost");
  const linkState = document.getElementById("link-state");
  const showState = (state) => {
    linkState.textContent = state;
    linkState.dataset.state = state;
    lost.hidden = state !== "connection lost";
  };
  const source = new EventSource(address);
  source.addEventListener(eventName, (event) => handle(event.data));
  for (const connected of ["begun", "back"]) source.addEventListener(connected, () => showState("live"));
  for (const disconnected of ["lost", "error"]) source.addEventListener(disconnected, () => showState("connection lost"));
  // Too many events were missed, or the session has ended.
  for (const ended of ["reload", "signed-out"]) source.addEventListener(ended, () => location.reload());
  addEventListener("pagehide", () => source.close());
}
