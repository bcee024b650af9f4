// Adds up what is being typed, so that it can be compared with the slip before it is sent.
"use strict";

(() => {
  const form = document.getElementById("cash-form");
  if (!form) return;
  const sum = document.getElementById("sum");
  const pieces = [...form.querySelectorAll("[data-cents]")];
  const money = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
  const add = () => {
    const cents = pieces.reduce((all, each) => all + Number(each.dataset.cents) * (Number.parseInt(each.value, 10) || 0), 0);
    sum.textContent = money.format(cents / 100);
  };
  form.addEventListener("input", add);
  add();
})();
