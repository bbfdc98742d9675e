// SPDX-License-Identifier: GPL-3.0-or-later
// For a page of four processes of three programs, as webchoices.sh makes it: 40 ticks of make, 20 and 10 of cc1, 5 of
// as.

const squeeze = (text) => plain(text).replace(/\s+/g, " ").trim();
const options = (id) => Array.from(one(id).options, (option) => squeeze(option.textContent));
const level = (row) => all(`#frames .frame[aria-level="${row}"]`).map((frame) =>
	`${frame.title.split("\n")[0]} ${Math.round(parseFloat(frame.style.width))}`);
const parameters = () => new URLSearchParams(location.hash.split("?")[1]);

async function checkSummary() {
	await go("#/summary");
	check("programs with their time", texts("#summary .program summary").map(squeeze), [
		"a.out 53.3 % · 400 ms · 1 process", "cc1 40.0 % · 300 ms · 2 processes",
		"as 6.7 % · 50.0 ms · 1 process"]);
	check("processes below them", texts("#summary .program tbody td:first-child"),
		["a.out 100", "cc1 101", "cc1 102", "as 103"]);
	check("with their command lines, as text", [texts("#summary .program .command")[2], window.pwned,
		all("main script").length], ["cc1 \u003cscript>window.pwned=1\u003c/script>", undefined, 0]);
	check("what is of ranks is not there", one("nav [data-view=ranks]").hidden, true);
}

async function checkChooser() {
	check("programs and processes to choose from", options("#process"), ["All 4 processes", "a.out 100: 53.3 %",
		"cc1, 2 processes: 40.0 %", "cc1 101: 26.7 %", "cc1 102: 13.3 %", "as 103: 6.7 %"]);
	check("its threads only where there are several", one("#threads").hidden, true);
	await go("#/functions");
	await choose(one("#process"), "1");
	check("a program's functions", texts("#rows tbody tr[data-row] td:first-child"), ["[cc1]"]);
	check("with the time of its processes", squeeze(one("#totals").textContent).startsWith("300 ms"), true);
	check("the address has its name", parameters().get("process"), "cc1");
	await choose(one("#process"), "3");
	check("threads of a process", options("#thread"),
		["All threads of it", "cc1 (TID 102): 9.3 %", "helper (TID 112): 4.0 %"]);
	await choose(one("#thread"), "1");
	check("a thread's time", squeeze(one("#totals").textContent).startsWith("30.0 ms"), true);
	check("the address has both", [parameters().get("process"), parameters().get("thread")], ["cc1 102", "helper"]);
	await choose(one("#process"), "");
	check("all again", [squeeze(one("#totals").textContent).startsWith("750 ms"), one("#threads").hidden],
		[true, true]);
}

async function checkLevels() {
	await go("#/graph");
	check("programs stand below their functions", level(2), ["a.out 53", "cc1 40", "as 7"]);
	check("functions on them", level(3), ["main 53", "[cc1] 40", "[as] 7"]);
	await follow(one("#graph-processes"));
	check("processes on programs", level(3), ["a.out 100 53", "cc1 101 27", "cc1 102 13", "as 103 7"]);
	await follow(all("#frames .frame").find((frame) => frame.title.startsWith("cc1 102\n")));
	check("a process can be zoomed to, by its name", [parameters().getAll("at"), level(3)],
		[["cc1", "cc1 102"], ["cc1 102 100"]]);
	await follow(one("#graph-functions"));
	check("functions alone", level(2), ["main 53", "[cc1] 40", "[as] 7"]);
}

// parse() calls a library that calls parse().
async function checkShapes() {
	const above = (name) => all("#frames .frame").filter((frame) => frame.title.startsWith(`${name}\n`)).length;
	const share = (name) => parseFloat(all("#frames .frame").find((frame) =>
		frame.title.startsWith(`${name}\n`)).style.width).toFixed(2);

	check("a library on the path", [above("[libz.so.1]"), above("parse")], [1, 2]);
	await follow(one("#graph-hide"));
	check("hidden: its callers have its time", [above("[libz.so.1]"), above("parse"), share("main")], [0, 2, "53.33"]);
	await follow(one("#graph-hide"));
	await follow(one("#graph-merge"));
	check("recursion merged", [above("[libz.so.1]"), above("parse"), share("parse")], [0, 1, "40.00"]);
	await follow(one("#graph-merge"));
	all("#frames .frame").find((frame) => frame.title.startsWith("parse\n")).dispatchEvent(
		new MouseEvent("mousemove", { bubbles: true }));
	check("a card: figures first, the name below", Array.from(one("#graph-detail").children, (line) => line.className),
		["figures", "name"]);
	await follow(one("#frame-focus"));
	check("only its paths, with the function itself first", [level(2), parameters().get("focus")],
		[["parse 100"], "parse"]);
	check("shares are still those of all time", /\(40\.00/.test(all("#frames .frame")[1].title));
	await follow(one("#graph-focus"));
	check("all of them again", level(2).length, 3);
	one("#graph-by-object").click();
	await wait();
	check("a legend of objects", texts("#graph-objects span"), ["a.out", "cc1", "as", "libz.so.1"]);
	check("frames have its colours",
		new Set(all("#frames .frame").slice(1).map((frame) => frame.style.background)).size, 4);
	check("in the address, too", parameters().get("colour"), "object");
}

use(() => resize("1400px"), checkSummary, checkChooser, checkLevels, checkShapes);
