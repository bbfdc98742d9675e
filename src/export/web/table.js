// SPDX-License-Identifier: GPL-3.0-or-later
// The flat profile, which can be sorted and searched. Only visible rows have elements.

const ROW = 26;

// The content of a column, its sort key, its width, and the least width of the table for which it is shown. Names are
// first sorted in ascending order.
const columns = [
	{ id: "name", head: "<Function", value: null, cell: nameCell, tip: "" },
	{ id: "self", head: "Self %", width: 132, value: (f) => profile.self[f],
		cell: (f) => shareCell(share(profile.self[f])),
		tip: `Own ${measure}, of all ${measure}`, time: true },
	{ id: "time", head: `Self${unit}`, width: 84, from: 700, value: (f) => profile.self[f],
		cell: (f) => timeCell(profile.self[f]), tip: `${Measure} in the function itself`, time: true },
	{ id: "error", head: `±${unit}`, width: 70, from: 960, value: errorOf,
		cell: (f) => errorCell(f), tip: errorTip, time: true },
	{ id: "total", head: `Total${unit}`, width: 84, from: 960, value: (f) => profile.whole[f],
		cell: (f) => timeCell(profile.whole[f], wholeMark(f)),
		tip: `Own ${measure} with that of what it calls, as in the call graph`, time: true },
	{ id: "part", head: "Total %", width: 132, from: 540, value: (f) => profile.whole[f],
		cell: (f) => shareCell(share(profile.whole[f]), "below", wholeMark(f)),
		tip: `The same, of all ${measure}`, time: true },
	{ id: "waiting", head: "Waiting s", width: 92, from: 760, value: waitingOf,
		cell: (f) => timeCell(waitingOf(f)), tip: "Time that threads were blocked in it, or in what it calls",
		time: true },
	{ id: "waitingError", head: "\u00b1 s", width: 70, from: 860, value: waitingErrorOf,
		cell: (f) => cell(waitingErrorOf(f) > 0 ? seconds(waitingErrorOf(f)) : "", "faint"), tip: waitingErrorTip,
		time: true },
	{ id: "calls", head: "Calls", width: 120, from: profile.sampled ? 660 : 0, value: (f) => profile.ncalls[f],
		cell: (f) => cell(profile.ncalls[f] ? callCount(f, profile.ncalls[f]) : ""),
		tip: "Calls, with those from itself" },
	{ id: "each", head: "Self/call", width: 92, from: 1060, value: (f) => perCall(f),
		cell: (f) => cell(perCall(f) > 0 ? spell(perCall(f)) : "", "faint"),
		tip: `Own ${measure} of one call, on average`, time: true },
	{ id: "place", head: "<Source", width: 180, from: 1160, value: null,
		cell: (f) => make("td", { class: "text faint", title: fileOf(f) }, placeOf(f)), tip: "" },
];

const absent = {
	calls: !profile.counted, each: !profile.counted,
	place: !profile.files.some(Boolean), waiting: !profile.waiting, waitingError: !profile.waitingDeviation,
	error: profile.exact,
};
const there = columns.filter((c) => !absent[c.id] && (!c.time || profile.sampled));
const table = {
	sort: profile.sampled ? "self" : "calls", down: true, query: "", object: null, rows: [], active: 0,
	first: -1, last: -1, shown: there, unfolded: false, nfolded: 0, printing: false,
	box: byId("rows"), body: byId("rows").querySelector("tbody"),
};

// With --confidence, functions without samples have it, too, and the tooltip is the whole interval.
function errorCell(f) {
	const known = hasInterval();

	return make("td", { class: "faint", title: known ? interval(f, spell) : null },
		profile.self[f] || known ? seconds(errorOf(f)) : "");
}

function perCall(f) {
	return hasCallTimes(f) ? profile.self[f] / profile.ncalls[f] : 0;
}

function textOf(id) {
	return id === "place" ? profile.all.map(placeOf) : profile.name;
}

// The functions in order; equal ones are sorted by time and then by name.
function sorted(rows) {
	const column = columns.find((c) => c.id === table.sort);
	const sign = table.down ? -1 : 1;

	if (!column.value) {
		const text = textOf(column.id);
		const { compare } = new Intl.Collator("en");

		return rows.sort((a, b) => sign * compare(text[a], text[b]) || a - b);
	}
	const value = Float64Array.from(profile.all, column.value);

	return rows.sort((a, b) => sign * (value[a] - value[b]) || profile.ncalls[b] - profile.ncalls[a] ||
		(profile.name[a] < profile.name[b] ? -1 : 1));
}

// A printed page has room for the columns of a narrow window, and rows cannot be scrolled.
const PAPER = { width: 680, rows: 2000 };

function chooseColumns() {
	const width = table.printing ? PAPER.width : table.box.clientWidth || 1200;

	table.shown = there.filter((column) => width >= (column.from || 0));
}

// The width that other columns leave for names in print; in a window it is measured.
function nameRoom() {
	return table.printing
		? table.shown.reduce((room, column) => room - (column.width || 14), PAPER.width) : Infinity;
}

// The functions of the selected object whose name or file matches; all of them without a search, none if it is
// invalid.
function searched() {
	const match = searchOf(byId("search"), byId("found"));

	if (match === undefined)
		return null;
	return profile.all.filter((f) => isChosen(f) && (!match || match(`${profile.name[f]} ${fileOf(f)}`)));
}

// Functions without inclusive time are hidden while the table is sorted by time.
function folded(rows) {
	const { time } = columns.find((c) => c.id === table.sort);
	const busy = time && table.query === "" && !table.unfolded
		? rows.filter((f) => profile.whole[f] > 0 || waitingOf(f) > 0) : rows;

	table.nfolded = rows.length - busy.length;
	return busy;
}

function makeFold() {
	const button = make("button", { type: "button", class: "quiet", id: "unfold" },
		`${things(table.nfolded)} without ${measure}: show`);

	button.addEventListener("click", () => {
		table.unfolded = true;
		refresh();
		rememberTable();
		byId("search").focus();
	});
	return make("tr", { class: "fold" }, make("td", { class: "text", colspan: table.shown.length }, button));
}

function makeRow(i) {
	const f = table.rows[i];
	const row = make("tr", { "aria-rowindex": i + 2, class: i === table.active ? "on" : null },
		...table.shown.map((column) => column.cell(f)));

	row.querySelector("a").tabIndex = i === table.active ? 0 : -1;
	row.dataset.row = i;
	return row;
}

function makeSpace(rows) {
	const space = make("td", { colspan: table.shown.length });

	space.style.height = rows * ROW + "px";
	return make("tr", { class: "space", "aria-hidden": "true" }, space);
}

// Makes the visible rows, and some around them.
function drawRows(force) {
	const { rows, box } = table;
	const height = box.clientHeight || 600;
	const first = table.printing ? 0 : Math.max(0, Math.floor(box.scrollTop / ROW) - 20);
	const last = Math.min(rows.length,
		table.printing ? PAPER.rows : Math.ceil((box.scrollTop + height) / ROW) + 20);

	if (!force && first === table.first && last === table.last)
		return;
	const hadFocus = table.body.contains(document.activeElement);
	const made = [];

	for (let i = first; i < last; i++)
		made.push(makeRow(i));
	table.first = first;
	table.last = last;
	table.body.replaceChildren(makeSpace(first), ...made, makeSpace(table.printing ? 0 : rows.length - last),
		...table.nfolded ? [makeFold()] : []);
	fitNames(table.body, nameRoom());
	if (hadFocus)
		focusRow();
}

function focusRow() {
	const row = table.body.querySelector("tr.on a");

	if (row)
		row.focus({ preventScroll: true });
}

function focusHead(column) {
	const head = table.box.querySelector(`[data-column="${column}"]`);

	if (head)
		head.focus();
}

function drawHeads() {
	const heads = table.shown.map((column) => {
		const on = column.id === table.sort;
		const order = table.down ? "descending" : "ascending";
		const button = make("button", { type: "button" }, column.head.replace("<", ""));
		const head = make("th", {
			scope: "col", class: column.head.startsWith("<") ? "text" : null,
			"aria-sort": on ? order : null, title: column.tip || null,
		}, button);

		if (column.width)
			head.style.width = column.width + "px";
		button.addEventListener("click", () => sortBy(column));
		button.dataset.column = column.id;
		return head;
	});

	const focused = table.box.querySelector("thead button:focus");

	table.box.querySelector("thead tr").replaceChildren(...heads);
	if (focused)
		focusHead(focused.dataset.column);
	table.box.querySelector("table").setAttribute("aria-rowcount", table.rows.length + 1);
}

function refresh() {
	const n = profile.n;
	const rows = searched();

	table.rows = sorted(folded(rows || []));
	table.active = 0;
	table.box.scrollTop = 0;
	redraw();
	if (rows) {
		byId("found").textContent = rows.length === n ? things(n)
			: `${integer(rows.length)} of ${things(n)}${table.object === null ? "" : timeOfRows()}`;
	}
}

// Called after the size of the window has changed, or before printing.
function redraw() {
	chooseColumns();
	drawHeads();
	drawRows(true);
}

function sortBy(column) {
	const again = column.id === table.sort;

	table.down = again ? !table.down : Boolean(column.value);
	table.sort = column.id;
	refresh();
	focusHead(column.id);
	rememberTable();
}

function tableAddress() {
	const state = new URLSearchParams({ sort: table.sort, down: table.down ? 1 : 0 });

	if (table.query !== "")
		state.set("q", table.query);
	if (table.object !== null)
		state.set("object", profile.objects[table.object]);
	if (table.unfolded)
		state.set("all", 1);
	return joinAddress("#/functions", state);
}

// The state is part of the address, so that going back restores it.
function rememberTable() {
	remember(tableAddress());
	place.outside = tableAddress();
}

// Printing uses the light scheme, whatever the window uses.
function printTable(printing) {
	table.printing = printing;
	document.documentElement.dataset.theme = printing ? "light" : currentTheme();
	redraw();
}

function moveTo(i) {
	const top = i * ROW;
	const height = table.box.clientHeight - ROW - 32;

	table.active = Math.min(Math.max(i, 0), table.rows.length - 1);
	if (top < table.box.scrollTop)
		table.box.scrollTop = top;
	else if (top > table.box.scrollTop + height)
		table.box.scrollTop = top - height;
	drawRows(true);
	focusRow();
}

function pressInTable(event) {
	const page = Math.max(1, Math.floor(table.box.clientHeight / ROW) - 2);
	const to = {
		ArrowDown: table.active + 1, ArrowUp: table.active - 1,
		PageDown: table.active + page, PageUp: table.active - page,
		Home: 0, End: table.rows.length - 1,
	}[event.key];

	if (event.key === "Enter" && event.target === document.body && table.rows.length > 0)
		location.hash = functionAddress(table.rows[table.active]);
	if (to === undefined || table.rows.length === 0)
		return;
	event.preventDefault();
	moveTo(to);
}

function showTable(parameters) {
	const sort = parameters.get("sort");
	const state = () => [table.sort, table.down, table.query, table.object, table.unfolded,
		table.box.clientWidth].join();
	const before = state();

	if (there.some((column) => column.id === sort)) {
		table.sort = sort;
		table.down = parameters.get("down") !== "0";
	}
	table.query = parameters.get("q") || "";
	table.unfolded = parameters.has("all");
	readObject(parameters.get("object"));
	byId("search").value = table.query;
	if (table.rows.length === 0 || before !== state())
		refresh();
	else
		redraw();
}

function startTable() {
	const search = byId("search");

	search.addEventListener("input", () => {
		table.query = search.value;
		refresh();
		rememberTable();
	});
	search.addEventListener("keydown", (event) => {
		if (event.key === "ArrowDown" || event.key === "Enter") {
			event.preventDefault();
			moveTo(0);
		}
	});
	table.box.addEventListener("scroll", () => drawRows(false));
	table.body.addEventListener("click", (event) => {
		const row = event.target.closest("tr[data-row]");

		if (!row)
			return;
		table.active = Number(row.dataset.row);
		if (!event.target.closest("a"))
			location.hash = functionAddress(table.rows[table.active]);
	});
	window.addEventListener("resize", redraw);
	window.addEventListener("beforeprint", () => printTable(true));
	window.addEventListener("afterprint", () => printTable(false));
}
