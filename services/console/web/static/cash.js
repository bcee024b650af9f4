// Adds up the entry, so that the total can be compared with the slip before it is submitted.
"use strict";

(() => {
  const form = document.getElementById("cash-form");
  if (!form) return;
  const sum = document.getElementById("sum");
  const pieces = [...form.querySelectorAll("[data-cents]")];
  const lists = [...form.querySelectorAll("[data-amounts]")];
  const amount = /^\$?(\d+|[1-9]\d{0,2}(,\d{3})+)(\.\d{1,2})?$/;
  const sumOf = (text) => text.split(/[\s;]+/).filter((word) => amount.test(word))
    .reduce((total, word) => total + Math.round(Number(word.replace(/[$,]/g, "")) * 100), 0);
  const money = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
  const add = () => {
    const counted = pieces.reduce((total, field) => total + Number(field.dataset.cents) * (Number.parseInt(field.value, 10) || 0), 0);
    const cents = lists.reduce((total, field) => total + sumOf(field.value), counted);
    sum.textContent = money.format(cents / 100);
  };
  form.addEventListener("input", add);
  add();
})();
