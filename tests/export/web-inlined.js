// SPDX-License-Identifier: GPL-3.0-or-later
// Uses a page of a program whose work is inlined: its frames are there without being asked for, and marked by a tint.

const suffix = " (inlined)";

async function checkFrames() {
	const inlined = data.name.filter((name) => name.endsWith(suffix));

	check("functions that were inlined are there", ["mixed", "outer"]
		.every((name) => inlined.includes(name + suffix)), true);
	await go("#/graph");
	const frames = all(".frame.inlined");

	check("so are their frames", frames.some((frame) => frame.title.startsWith("mixed" + suffix)), true);
	check("no other frame has the tint", all("#frames .frame")
		.filter((frame) => frame.classList.contains("inlined") !== frame.title.includes(suffix)).length, 0);
	check("no label says it in words", texts("#frames .frame").filter((text) => text.includes("inlined")), []);
	check("a legend does",
		[one("#graph-inlined").hidden, /inlined/.test(one("#graph-inlined").textContent)], [false, true]);
}

async function checkTables() {
	const { rows } = JSON.parse(one("#expected").textContent);

	await go("#/summary");
	const names = all("#summary tbody td:first-child a")
		.map((a) => [a.title.replace(suffix, ""), a.classList.contains("inlined")]);

	check("the summary has the functions of --top", names, rows.map(([name, is]) => [name, is]));
	await go(`#/function/${data.name.indexOf("mixed" + suffix)}`);
	check("the title has a mark", [one("#function h2").textContent, one("#function .heading .mark").textContent],
		["mixed", "inlined"]);
}

use(checkFrames, checkTables);
