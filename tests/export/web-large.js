// SPDX-License-Identifier: GPL-3.0-or-later
// For a page of very many functions: what exists of the table, and how long it takes.

const box = one("#rows");
const rows = () => all("#rows tbody tr[data-row]");

function timed(what, action) {
	const start = performance.now();

	action();
	void document.body.offsetHeight;
	lines.push(`# ${what}: ${(performance.now() - start).toFixed(0)} ms`);
}

async function until(holds) {
	for (let i = 0; i < 250 && !holds(); i++)
		await wait(20);
}

async function checkLarge() {
	const { ready, took } = document.documentElement.dataset;

	await go("#/functions");
	await until(() => rows().length > 0);
	lines.push(`# shown after ${ready} ms, ${took} of them its own`);
	check("few rows exist", rows().length > 10 && rows().length < 200);
	timed("sorting by name", () => one("[data-column=name]").click());
	timed("the graph", () => {
		location.hash = "#/graph";
		window.dispatchEvent(new HashChangeEvent("hashchange"));
	});
	await wait(20);
	await go("#/functions");
	await until(() => box.clientHeight > 0);
	box.scrollTop = box.scrollHeight;
	await until(() => Number(rows().at(-1).dataset.row) === data.name.length - 1);
	check("the last row is the last function", Number(rows().at(-1).dataset.row), data.name.length - 1);
	one("#search").value = "f9999";
	timed("searching", () => one("#search").dispatchEvent(new Event("input")));
	check("one is found", rows().length, 1);
}

use(checkLarge);
