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

// Times of lines are those that --source has: self, with what was inlined there, and inclusive.
async function checkSource() {
	const { lines } = JSON.parse(one("#expected").textContent);
	const seconds = (text) => {
		const [number, unit] = text.split("\u202f");

		return number === "" ? "0.00" : (Number(number) / { s: 1, ms: 1000 }[unit]).toFixed(2);
	};
	const seen = all(".source pre > .row:not(.head)").map((row) => [Number(row.querySelector("em").textContent),
		seconds(row.querySelector("b").textContent), seconds(row.querySelector(".whole-time").textContent)])
		.filter((row) => row[2] !== "0.00");

	check("lines of work() have the times of --source",
		seen.filter(([line]) => lines.some((row) => row[0] === line)), lines);
	check("and there are some", lines.length > 0, true);
	const inlines = all(".source .inlines");

	check("what was inlined unfolds", [inlines.length > 0, inlines.some((details) => details.open)], [true, false]);
	inlines[0].querySelector("summary").click();
	check("by its own summary", inlines[0].open, true);
	check("the function is a link", inlines.some((details) => details.querySelector("a")), true);
	await follow(inlines[0].querySelector("a"));
	check("to a function that was inlined", one("#function h2 + .mark").textContent, "inlined");
}

async function openWork() {
	await go(`#/function/${data.name.indexOf("work")}`);
}

use(checkFrames, checkTables, openWork, checkSource);
