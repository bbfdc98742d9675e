// SPDX-License-Identifier: GPL-3.0-or-later
// For the golden profile of slices: what is chosen is in the address, by name, and comes back with it.

const query = () => new URLSearchParams(location.hash.split("?")[1]);
const back = () => changed(() => history.back());
const state = () => [one("#thread").value, one("#when-from").value, one("#when-to").value, one("#totals").textContent];

async function checkNames() {
	await go("#/function/0");
	check("a number becomes a name", location.hash, `#/function/${data.name[0]}`);
	await go(`#/function/${data.name.at(-1)}`);
	check("a function by its name", one("#function h2").textContent, data.name.at(-1));
	await go("#/function/not%20there");
	check("one that is not there", one("#function").textContent, "There is no such function.");
	await go("#/function/%E0%A4%A");
	check("nonsense", one("#function").textContent, "There is no such function.");
}

// A thread and a range, by controls; by an address; by history.
async function checkPart() {
	await go("#/graph");
	const all = state();

	await choose(one("#thread"), "1");
	one("#when-from").value = 0.5;
	one("#when-from").dispatchEvent(new Event("change", { bubbles: true }));
	await wait();
	const some = state();
	const address = location.hash;

	check("the address has thread and range", [query().get("thread"), query().get("from"), query().get("to")],
		["worker", "0.5", "3"]);
	await go("#/functions");
	check("other views have them, too", [state(), query().get("thread")], [some, "worker"]);
	one("#whole-run").click();
	await choose(one("#thread"), "");
	check("all again", [state(), query().get("thread")], [all, null]);
	await go(address);
	check("an address brings it back", state(), some);
	await back();
	check("so does history: all", state(), all);
	await changed(() => history.forward());
	check("history: some", state(), some);
	await go("#/graph?thread=nobody&from=x");
	check("what is not there chooses nothing", [state(), query().get("thread")], [all, null]);
}

async function checkLinks() {
	await go("#/summary?thread=worker");
	const anchor = one("#summary a");

	anchor.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
	check("a link that is copied has what is chosen", anchor.getAttribute("href").endsWith("thread=worker"), true);
}

async function checkZoom() {
	await go("#/graph?thread=");
	const inner = all("#frames .frame").find((frame) => frame.getAttribute("aria-level") === "3");
	const name = inner.title.split("\n")[0];

	await follow(inner);
	check("a frame by the names on its path", query().getAll("at").at(-1), name);
	one("#flame").click();
	await wait();
	check("the direction is in the address", query().get("flame"), "1");
	await go(`#/graph?${new URLSearchParams([["at", query().getAll("at")[0]], ["at", "gone"]])}`);
	check("of a path that is not there, what is there", query().getAll("at").length, 2);
	check("... is zoomed to", one("#graph-detail b").textContent, query().getAll("at")[0]);
}

use(() => resize("1200px"), checkNames, checkPart, checkLinks, checkZoom);
