// Adds up what is being typed, so that it can be compared with the slip before it is sent.
"use strict";

(() => {
  const form = document.getElementById("cash-form");
  if (!form) return;
  const sum = document.getElementById("sum");
  const pieces = [...form.querySelectorAll("[data-cents]")];
  const lists = [...form.querySelectorAll("[data-amounts]")];
  const amount = /^\$?(\d+|[1-9]\d{0,2}(,\d{3})+)(\.\d{1,2})?$/;
  const listed = (text) => text.split(/[\s;]+/).filter((each) => amount.test(each))
    .reduce((all, each) => all + Math.round(Number(each.replace(/[$,]/g, "")) * 100), 0);
  const money = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });
  const add = () => {
    const counted = pieces.reduce((all, each) => all + Number(each.dataset.cents) * (Number.parseInt(each.value, 10) || 0), 0);
    const cents = lists.reduce((all, each) => all + listed(each.value), counted);
    sum.textContent = money.format(cents / 100);
  };
  form.addEventListener("input", add);
  add();
})();
