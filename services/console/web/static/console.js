// The clock of the property on every page.
"use strict";

for (const wall of document.querySelectorAll(".wall-clock")) {
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone: wall.dataset.zone, hour: "2-digit", minute: "2-digit", second: "2-digit",
  });
  const tick = () => { wall.textContent = clock.format(new Date()); };
  tick();
  setInterval(tick, 1000);
}

// A choice in the calendar is written into the field beside it: day, then time.
for (const picker of document.querySelectorAll(".picker")) {
  picker.addEventListener("change", () => {
    const field = picker.previousElementSibling;
    field.value = picker.value.replace("T", " ");
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });
}

// A click elsewhere or Escape closes a menu.
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});
