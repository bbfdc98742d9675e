// SPDX-License-Identifier: GPL-3.0-or-later
// As web-page.js, for a page of very many functions: what exists of the table, and how long it takes.

const lines = [];
const wait = (ms = 20) => new Promise((done) => setTimeout(done, ms));
const box = document.getElementById("rows");
const rows = () => Array.from(box.querySelectorAll("tbody tr[data-row]"));
const n = JSON.parse(document.getElementById("data").textContent).name.length;

const check = (what, ok) => lines.push(`${ok ? "ok" : "not ok"} - ${what}`);

function timed(what, action) {
	const start = performance.now();

	action();
	void document.body.offsetHeight;
	lines.push(`# ${what}: ${(performance.now() - start).toFixed(0)} ms`);
}

location.hash = "#/functions";
for (let i = 0; i < 250 && rows().length === 0; i++)
	await wait();
const { ready, took } = document.documentElement.dataset;

lines.push(`# shown after ${ready} ms, ${took} of them its own`);
check("shown within 10 seconds", Number(ready) < 10000);
check("few rows exist", rows().length > 10 && rows().length < 200);
timed("sorting by name", () => document.querySelector("[data-column=name]").click());
timed("the graph", () => {
	location.hash = "#/graph";
	window.dispatchEvent(new HashChangeEvent("hashchange"));
});
await wait();
location.hash = "#/functions";
for (let i = 0; i < 250 && box.clientHeight === 0; i++)
	await wait();
box.scrollTop = box.scrollHeight;
for (let i = 0; i < 250 && Number(rows().at(-1).dataset.row) !== n - 1; i++)
	await wait();
check("the last row is the last function", Number(rows().at(-1).dataset.row) === n - 1);
document.getElementById("search").value = "f9999";
timed("searching", () => document.getElementById("search").dispatchEvent(new Event("input")));
check("one is found", rows().length === 1);
for (const line of [...lines, "the end"])
	console.log(line);
