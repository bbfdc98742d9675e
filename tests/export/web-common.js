// SPDX-License-Identifier: GPL-3.0-or-later
// What the scripts that use a page have in common: put in front of each, behind the page's own. They know the page by
// what is to be seen of it, not by its code, and say TAP lines on the console.

const lines = [];
const wait = (ms = 5) => new Promise((done) => setTimeout(done, ms));
const one = (selector) => document.querySelector(selector);
const all = (selector) => Array.from(document.querySelectorAll(selector));
const texts = (selector) => all(selector).map((element) => element.textContent);
const plain = (text) => text.replace(/[\u202f\u2009]/g, " ");

// The page's data, with all of each name; of a picture, nothing.
function readData() {
	const data = one("#data") && JSON.parse(one("#data").textContent);

	// Columns that have no value but 0 are empty.
	for (const key of data ? ["shared", "self", "below", "outer", "recursive", "line", "file", "arcs", "cycle"] : []) {
		if (data[key].length === 0)
			data[key] = data.name.map(() => 0);
	}
	(data ? data.name : []).forEach((rest, f) => {
		data.name[f] = f > 0 ? data.name[f - 1].slice(0, data.shared[f]) + rest : rest;
	});
	return data;
}

const data = readData();

function check(what, is, wanted = true) {
	const ok = JSON.stringify(is) === JSON.stringify(wanted);

	lines.push(`${ok ? "ok" : "not ok"} - ${what}`);
	if (!ok)
		lines.push(`# is ${JSON.stringify(is)}`, `# not ${JSON.stringify(wanted)}`);
}

// Waits until the address has changed and what follows from that is done.
async function changed(action) {
	const event = new Promise((done) => window.addEventListener("hashchange", done, { once: true }));

	action();
	await Promise.race([event, wait(5000)]);
	await wait();
}

async function go(hash) {
	if (location.hash !== hash)
		await changed(() => {
			location.hash = hash;
		});
}

const follow = (element) => changed(() => element.click());

async function choose(select, value) {
	select.value = value;
	select.dispatchEvent(new Event("change", { bubbles: true }));
	await wait();
}

// The time of callers and of callees, in a function's two tables.
const neighbours = (side) => all(`#function .sides .sheet:${side}-child tbody tr`)
	.map((row) => [row.querySelector("a").title, row.children[2].textContent]);

// As wide as if the window were, or by "" as it is.
async function resize(width) {
	document.body.style.width = width;
	window.dispatchEvent(new Event("resize"));
	await wait();
}

// The parts of a script, one after the other, and what they said.
async function use(...parts) {
	try {
		for (const part of parts)
			await part();
	} catch (error) {
		lines.push(`not ok - ${error.stack.replaceAll("\n", "; ")}`);
	}
	for (const line of [...lines, "the end"])
		console.log(line);
}
