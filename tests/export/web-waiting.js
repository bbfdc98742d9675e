// SPDX-License-Identifier: GPL-3.0-or-later
// For a page with waiting beside CPU time, of the golden profile of that name.

const frame = (name) => all("#frames .frame").find((element) => element.title.startsWith(`${name}\n`));
const isWaiting = (element) => element.style.background.includes("--w");
const width = (element) => Math.round(parseFloat(element.style.width));

function waitingRows() {
	const heads = all("#rows th").map((head) => head.querySelector("button").dataset.column);

	return all("#rows tbody tr[data-row]").map((row) =>
		`${row.querySelector("a").title} ${row.children[heads.indexOf("waiting")].textContent}`);
}

// 0.6 s on the CPU and 5 s of waiting.
async function checkAll() {
	check("the head has both", one("#totals").textContent.replace(/\s+/g, " ").startsWith("600 ms on the CPU"), true);
	await go("#/functions?sort=waiting&down=1");
	check("functions by waiting", waitingRows().slice(0, 3), ["[libc.so.6] 4.500", "main 3.300", "read_record 3.000"]);
	await go("#/graph");
	check("a legend", one("#graph-legend").hidden, false);
	check("widths are of both", width(frame("main")), 66);
	check("colours of waiting", [frame("main"), frame("[waiting: epoll_pwait2]"), frame("parse")].map(isWaiting),
		[true, true, false]);
	check("the title says how much", frame("main").title.replace(/\s+/g, " "), "main 3.70 s (66.07 %), 3.30 s waiting");
	await go("#/graph?inverted=1");
	check("inverted, the longest wait is first", frame("[waiting: futex_waitv]").getAttribute("aria-level"), "2");
	check("and has its colour", [frame("[waiting: futex_waitv]"), frame("parse")].map(isWaiting), [true, false]);
	await go("#/function/0");
	check("a function's waiting", all("#function .facts dt").map((name) => name.textContent).includes("Waiting"), true);
}

// Of the thread that reads: 0.4 s on the CPU and 3.5 s of waiting; a choice for the idle one is not there.
async function checkThread() {
	const select = one("#thread");

	await go("#/graph");
	check("threads with their waiting", Array.from(select.options, (option) => plain(option.textContent)),
		["All 2 threads", "main (TID 10): 66.7 %, 3.50 s waiting", "worker (TID 11): 33.3 %, 1.50 s waiting"]);
	await choose(select, "0");
	check("a thread's paths have both", [width(frame("main")), width(frame("parse"))], [95, 8]);
	check("and a legend", one("#graph-legend").hidden, false);
	check("and colours of waiting", [frame("main"), frame("[waiting: epoll_pwait2]"), frame("parse")].map(isWaiting),
		[true, true, false]);
	check("and say how long it waited", plain(frame("main").title).replace(/\s+/g, " "),
		"main 3.70 s (94.87 %), 3.30 s waiting");
	check("the head has both, of the thread", plain(one("#totals").textContent).split(/ +\u00b7 +/),
		["400 ms on the CPU", "40 samples every 10 ms, \u00b1 at 95 %", "3.50 s of waiting"]);
	await go("#/graph?inverted=1");
	check("inverted, the longest wait is first", frame("[waiting: epoll_pwait2]").getAttribute("aria-level"), "2");
	await go("#/functions?sort=waiting&down=1");
	check("functions by waiting in the thread", waitingRows().slice(0, 3),
		["main 3.300", "read_record 3.000", "[libc.so.6] 3.000"]);
	await go(`#/function/${data.name.indexOf("read_record")}`);
	check("a function's waiting in the thread", plain(one("#function .facts").textContent).includes("Waiting3.00 s"));
	check("callers have CPU time", neighbours("first"), [["main", "0.400"]]);
	await go("#/graph");
	await choose(select, "1");
	check("another thread's", [width(frame("worker")), width(frame("[waiting: futex_waitv]"))], [100, 88]);
	await choose(select, "");
	check("all threads again", [one("#graph-legend").hidden, width(frame("main"))], [false, 66]);
}

use(() => resize("1400px"), checkAll, checkThread);
