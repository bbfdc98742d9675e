// SPDX-License-Identifier: GPL-3.0-or-later
// As web-page.js, for a page of functions or lines with source text: times of lines, callers of a line's function.

const lines = [];
const wait = (ms = 20) => new Promise((done) => setTimeout(done, ms));
const check = (what, ok) => lines.push(`${ok ? "ok" : "not ok"} - ${what}`);
const all = (selector) => Array.from(document.querySelectorAll(selector));
const data = JSON.parse(document.getElementById("data").textContent);

data.name.forEach((rest, f) => {
	data.name[f] = f > 0 ? data.name[f - 1].slice(0, data.shared[f]) + rest : rest;
});

async function go(hash) {
	location.hash = hash;
	for (let i = 0; i < 50; i++)
		await wait();
}

// The last symbol of work() with time: the function, or with -l, a line that is not its first.
const f = data.name.findLastIndex((name, i) => name.startsWith("work") && data.self[i] > 0);

await go(`#/function/${f}`);
const rows = all(".source .row:not(.head)").map((row) => ({
	line: Number(row.querySelector("em").textContent), time: row.querySelector("b").textContent,
	part: parseFloat(row.querySelector("b.part").textContent), calls: row.querySelector("b.calls").textContent,
}));

check("heads of columns", all(".source .head > *").map((head) => head.textContent).join() === "Time,Of all,Calls,Line");
check("some lines have time", rows.some((row) => /^[\d.]+\u202f(s|ms)$/.test(row.time) && row.part > 1));
check("calls stand at the function's line",
	rows.some((row) => (row.line === 8 || row.line === 9) && row.calls === "200\u202f000\u00d7"));
check("and it has a caller", all("#function .sides .sheet:first-child td:first-child")
	.map((cell) => cell.textContent).some((name) => name.startsWith("main")));
for (const line of [...lines, "the end"])
	console.log(line);
