// SPDX-License-Identifier: GPL-3.0-or-later
// Sorts and searches the table of a difference, and shows the flame graphs. The table is complete without scripts.
const byId = (id) => document.getElementById(id);
const body = document.querySelector("tbody");
const rows = Array.from(body.rows);
const heads = Array.from(document.querySelectorAll("thead th"));

// The sort key of a cell: its number, if it has one.
function key(row, column) {
	const text = row.cells[column].textContent.trim();
	const number = parseFloat(text.replace(/^</, ""));

	return Number.isNaN(number) ? text : number;
}

function compare(a, b) {
	if (typeof a === "number" && typeof b === "number")
		return b - a;
	if (typeof a !== typeof b)
		return typeof a === "number" ? -1 : 1;
	return a < b ? -1 : a > b ? 1 : 0;
}

// Choosing the same column again reverses the order.
function sort(column) {
	const head = heads[column];
	const turned = head.getAttribute("aria-sort") === "descending";
	const delta = head.dataset.magnitude !== undefined;
	const value = (row) => {
		const at = key(row, column);

		return delta && typeof at === "number" ? Math.abs(at) : at;
	};

	rows.sort((a, b) => compare(value(a), value(b)) * (turned ? -1 : 1));
	for (const other of heads)
		other.removeAttribute("aria-sort");
	head.setAttribute("aria-sort", turned ? "ascending" : "descending");
	body.append(...rows);
}

function search() {
	const wanted = byId("search").value.toLowerCase();
	const marked = byId("marked").checked;
	let n = 0;

	for (const row of rows) {
		const name = row.cells[0].textContent.toLowerCase();

		row.hidden = !name.includes(wanted) ||
			(marked && row.className === "noise" && !row.querySelector(".more, .less"));
		n += row.hidden ? 0 : 1;
	}
	byId("found").textContent = `${n} of ${rows.length}`;
}

// The picture takes at most this part of the window, so that the table begins in it, but no fewer pixels than that.
const MOST_ROOM = 0.55;
const LEAST_ROOM = 240;

function show(side) {
	const graph = byId(`${side}-graph`).content.querySelector("svg");
	const frame = document.createElement("iframe");

	frame.title = side === "new" ? "Flame graph, widths of the time now" : "Flame graph, widths of the time before";
	frame.height = Math.min(graph.getAttribute("height"), Math.max(MOST_ROOM * window.innerHeight, LEAST_ROOM));
	frame.setAttribute("src", "data:image/svg+xml;charset=utf-8,"
		+ encodeURIComponent(new XMLSerializer().serializeToString(graph)));
	byId("picture").replaceChildren(frame);
	for (const button of ["new", "base"])
		byId(button).setAttribute("aria-pressed", String(button === side));
}

heads.forEach((head, column) => {
	const button = document.createElement("button");

	button.type = "button";
	button.append(...head.childNodes);
	if (head.hasAttribute("aria-label"))
		button.setAttribute("aria-label", head.getAttribute("aria-label"));
	button.addEventListener("click", () => sort(column));
	head.replaceChildren(button);
});
byId("search").addEventListener("input", search);
byId("marked").addEventListener("change", search);
byId("tools").hidden = false;
search();
if (byId("new-graph").content.querySelector("svg")) {
	byId("sides").hidden = false;
	byId("new").addEventListener("click", () => show("new"));
	byId("base").addEventListener("click", () => show("base"));
	show("new");
}
