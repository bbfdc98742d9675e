// SPDX-License-Identifier: GPL-3.0-or-later
// As web-page.js, for a page with waiting beside CPU time, of the golden profile of that name.

const lines = [];
const wait = (ms = 5) => new Promise((done) => setTimeout(done, ms));
const one = (selector) => document.querySelector(selector);
const all = (selector) => Array.from(document.querySelectorAll(selector));

function check(what, is, wanted) {
	const ok = JSON.stringify(is) === JSON.stringify(wanted);

	lines.push(`${ok ? "ok" : "not ok"} - ${what}`);
	if (!ok)
		lines.push(`# is ${JSON.stringify(is)}`, `# not ${JSON.stringify(wanted)}`);
}

async function go(hash) {
	location.hash = hash;
	for (let i = 0; i < 10; i++)
		await wait();
}

const frame = (name) => all("#frames .frame").find((element) => element.title.startsWith(`${name}\n`));
const isWaiting = (element) => element.style.background.includes("--w");
const width = (element) => Math.round(parseFloat(element.style.width));

// 0.6 s on the CPU and 5 s of waiting.
async function checkAll() {
	check("the head has both", one("#totals").textContent.replace(/\s+/g, " ").startsWith("600 ms on the CPU"), true);
	await go("#/functions?sort=waiting&down=1");
	const heads = all("#rows th").map((head) => head.querySelector("button").dataset.column);
	const rows = all("#rows tbody tr[data-row]").map((row) =>
		`${row.querySelector("a").title} ${row.children[heads.indexOf("waiting")].textContent}`);

	check("functions by waiting", rows.slice(0, 3), ["[libc.so.6] 4.500", "main 3.300", "read_record 3.000"]);
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

async function checkThread() {
	const select = one("#thread");

	await go("#/graph");
	select.value = "0";
	select.dispatchEvent(new Event("change", { bubbles: true }));
	await wait();
	check("a thread's paths are of CPU time", width(frame("parse")), 75);
	check("and have no legend", one("#graph-legend").hidden, true);
	check("nor colours of waiting", all("#frames .frame").some(isWaiting), false);
	select.value = "";
	select.dispatchEvent(new Event("change", { bubbles: true }));
	await wait();
	check("all threads again", [one("#graph-legend").hidden, width(frame("main"))], [false, 66]);
}

document.body.style.width = "1400px";
window.dispatchEvent(new Event("resize"));
try {
	await checkAll();
	await checkThread();
} catch (error) {
	lines.push(`not ok - ${error.stack.replaceAll("\n", "; ")}`);
}
for (const line of [...lines, "the end"])
	console.log(line);
