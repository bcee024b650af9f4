// Buttons that copy a text, such as the times of a video.
"use strict";

for (const button of document.querySelectorAll("[data-copy]")) {
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.lastChild.textContent = "Copied";
    } catch {
      window.prompt("Copy this", button.dataset.copy);
    }
  });
}
