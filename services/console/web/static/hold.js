// The hold of a table by day, with the band within which nothing is to be done.
"use strict";

(() => {
  const place = document.getElementById("hold-chart");
  if (!place) return;
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const noon = (day) => Date.parse(`${day}T12:00:00Z`) / 1000;
  const held = new Map(place.dataset.days.split(",").map((day, at) => [noon(day), Number(place.dataset.points.split(",")[at])]));
  // From the first day that was asked for to the last: the lines reach over days without a drop.
  const days = [...new Set([noon(place.dataset.first), ...held.keys(), noon(place.dataset.last)])].sort((a, b) => a - b);
  const points = days.map((day) => held.get(day) ?? null);
  const { base, threshold } = place.dataset;
  const flat = (value) => days.map(() => value);
  const hasBand = base !== "" && threshold !== "";
  const data = [days, points];
  const series = [{}, { label: "Hold", stroke: colour("--brand"), width: 2, spanGaps: true, points: { size: 7, fill: colour("--brand") } }];
  const bands = [];
  if (hasBand) {
    data.push(flat(Number(base) + Number(threshold)), flat(Number(base) - Number(threshold)), flat(Number(base)));
    const line = { stroke: colour("--line-strong"), dash: [4, 4], points: { show: false } };
    series.push({ label: "Upper line", ...line }, { label: "Lower line", ...line }, { label: "Base", stroke: colour("--brass"), points: { show: false } });
    bands.push({ series: [2, 3], fill: `${colour("--brand")}22` });
  }
  const axis = { stroke: colour("--ink-soft"), grid: { stroke: colour("--line") }, ticks: { stroke: colour("--line") } };
  const size = () => ({ width: place.clientWidth, height: 300 });
  const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
  const chart = new uPlot({
    ...size(), series, bands, legend: { live: false },
    scales: { x: { time: true, range: (_, low, high) => [low - 43200, high + 43200] } },
    axes: [{ ...axis, incrs: [86400, 2 * 86400, 7 * 86400], values: (_, all) => all.map((each) => day.format(each * 1000)) }, { ...axis, values: (_, all) => all.map((each) => `${each}%`) }],
  }, data, place);
  addEventListener("resize", () => chart.setSize(size()));
})();
