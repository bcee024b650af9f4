// Buttons that copy a text, such as video bookmarks.
"use strict";

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.lastChild.textContent = "Copied";
    } catch {
      window.prompt("Copy this text", button.dataset.copy);
    }
  });
}
