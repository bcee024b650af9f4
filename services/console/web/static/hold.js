// The hold of a table by gaming day, with the band of the threshold.
"use strict";

(() => {
  const place = document.getElementById("hold-chart");
  if (!place) return;
  const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const noon = (day) => Date.parse(`${day}T12:00:00Z`) / 1000;
  const held = new Map(place.dataset.days.split(",").map((day, at) => [noon(day), Number(place.dataset.points.split(",")[at])]));
  // From the first selected day to the last: lines span days without a drop.
  const days = [...new Set([noon(place.dataset.first), ...held.keys(), noon(place.dataset.last)])].sort((a, b) => a - b);
  const points = days.map((day) => held.get(day) ?? null);
  const { base, threshold } = place.dataset;
  const flat = (value) => days.map(() => value);
  const hasBand = base !== "" && threshold !== "";
  const data = [days, points];
  const series = [{}, { label: "Hold", stroke: color("--brand"), width: 2, spanGaps: true, points: { size: 7, fill: color("--brand") } }];
  const bands = [];
  if (hasBand) {
    data.push(flat(Number(base) + Number(threshold)), flat(Number(base) - Number(threshold)), flat(Number(base)));
    const line = { stroke: color("--line-strong"), dash: [4, 4], points: { show: false } };
    series.push({ label: "Upper threshold", ...line }, { label: "Lower threshold", ...line }, { label: "Base", stroke: color("--brass"), points: { show: false } });
    bands.push({ series: [2, 3], fill: `${color("--brand")}22` });
  }
  const axis = { stroke: color("--ink-soft"), grid: { stroke: color("--line") }, ticks: { stroke: color("--line") } };
  const size = () => ({ width: place.clientWidth, height: 300 });
  const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
  const chart = new uPlot({
    ...size(), series, bands, legend: { live: false },
    scales: { x: { time: true, range: (_, low, high) => [low - 43200, high + 43200] } },
    axes: [{ ...axis, incrs: [86400, 2 * 86400, 7 * 86400], values: (_, all) => all.map((seconds) => day.format(seconds * 1000)) }, { ...axis, values: (_, all) => all.map((percent) => `${percent}%`) }],
  }, data, place);
  addEventListener("resize", () => chart.setSize(size()));
})();
