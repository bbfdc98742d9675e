// SPDX-License-Identifier: GPL-3.0-or-later
// As web-page.js, for a page of 40 threads with 1 to 40 samples: the lightest are one choice, and it has their time.

const lines = [];
const check = (what, ok) => lines.push(`${ok ? "ok" : "not ok"} - ${what}`);
const select = document.getElementById("thread");
const totals = () => document.getElementById("totals").textContent.replaceAll("\u202f", " ");

check("40 threads: the 32 heaviest by themselves", select.options.length === 34);
check("the rest is one choice, with its share", select.lastChild.textContent === "8 other threads: 4.4\u202f%");
check("all of them", totals().startsWith("8.20 s"));
select.value = select.lastChild.value;
select.dispatchEvent(new Event("change", { bubbles: true }));
check("the time of the rest", totals().startsWith("360 ms"));
check("and its samples", totals().includes("36 samples"));
for (const line of [...lines, "the end"])
	console.log(line);
