// SPDX-License-Identifier: GPL-3.0-or-later
// For a page of functions or lines with source text: times of lines, callers of a line's function.

async function checkLines() {
	// The last symbol of work() with time: the function, or with -l, a line that is not its first.
	const f = data.name.findLastIndex((name, i) => name.startsWith("work") && data.self[i] > 0);

	await go(`#/function/${f}`);
	const rows = all(".source .row:not(.head)").map((row) => ({
		line: Number(row.querySelector("em").textContent), time: row.querySelector("b").textContent,
		part: parseFloat(row.querySelector("b.part").textContent), calls: row.querySelector("b.calls").textContent,
	}));

	check("heads of columns", texts(".source .head > *"), ["Self", "Of all", "Calls", "Line"]);
	check("some lines have time", rows.some((row) => /^[\d.]+\u202f(s|ms)$/.test(row.time) && row.part > 1));
	check("calls stand at the function's line",
		rows.some((row) => (row.line === 8 || row.line === 9) && row.calls === "200\u202f000\u00d7"));
	check("and it has a caller",
		texts("#function .sides .sheet:first-child td:first-child").some((name) => name.startsWith("main")));
}

use(checkLines);
