// SPDX-License-Identifier: GPL-3.0-or-later
// For a page with slices of the time: what is shown of each range, "FROM TO THREAD", is what reports with --from and
// --to have, in #expected: lines "INCLUSIVE SELF NAME" in seconds.

const expected = JSON.parse(one("#expected").textContent);
const select = one("#thread");
const area = () => one("#when-area").getBoundingClientRect();
const number = (text) => Number(text.replace(/[^\d.]/g, ""));

// Functions with time, by the heads of columns.
function shown() {
	const heads = all("#rows th").map((head) => head.querySelector("button").dataset.column);
	const at = (row, id) => number(row.children[heads.indexOf(id)].textContent).toFixed(2);

	return all("#rows tbody tr[data-row]")
		.map((row) => [at(row, "total"), at(row, "time"), row.querySelector("a").title])
		.filter(([total]) => Number(total) > 0).map((row) => row.join(" ")).sort();
}

function point(kind, second, target = one("#when-rows")) {
	const { left, width, top } = area();

	target.dispatchEvent(new PointerEvent(kind, { bubbles: true, cancelable: true, button: 0, isPrimary: true,
		clientX: left + (second - data.when.start) / (data.when.step * data.when.columns) * width, clientY: top + 5 }));
}

// As far as a mouse goes that wants these slices: from inside of the first to inside of the last.
async function drag(from, to) {
	point("pointerdown", from + data.when.step / 4);
	point("pointermove", (from + to) / 2, window);
	point("pointerup", to - data.when.step / 4, window);
	await wait();
}

async function type(id, second) {
	one(id).focus();
	one(id).value = second;
	one(id).dispatchEvent(new Event("change", { bubbles: true }));
	await wait();
}

// Whether a mouse can choose it: the edge of a slice.
const isEdge = (second) => second === "" || Number.isInteger((second - data.when.start) / data.when.step);

async function checkRange(key, lines) {
	const [from, to, thread] = key.split(" ");
	const end = data.when.start + data.when.step * data.when.columns;

	await go("#/graph");
	if (thread !== "all")
		await choose(select, Array.from(select.options).find((option) => option.textContent.startsWith(thread)).value);
	if ([from, to].every(isEdge)) {
		await drag(Number(from || data.when.start), Number(to || end));
		check(`${key}: the fields tell it`, [one("#when-from").value, one("#when-to").value].map(Number),
			[Number(from || data.when.start), Number(to || end)]);
	} else {
		await type("#when-from", from || data.when.start);
		await type("#when-to", to || end);
	}
	const names = lines.map((line) => line.split(" ").slice(2).join(" ")).sort();
	const framed = new Set(all("#frames .frame").map((frame) => frame.title.split("\n")[0]));

	framed.delete("all");
	check(`${key}: the flame graph has its functions`, Array.from(framed).sort(), names);
	await go("#/functions");
	check(`${key}: functions, as reports have them`, shown(), lines.slice().sort());
	await go("#/summary");
	check(`${key}: and the summary`, texts("#summary .hot tbody tr td:first-child").length > 0, true);
	check(`${key}: the head tells the range`, plain(one("#totals").textContent).startsWith("second "), true);
	one("#whole-run").click();
	await wait();
	if (select.options.length > 0)
		await choose(select, "");
	check(`${key}: the whole run again`,
		[one("#whole-run").hidden, plain(one("#totals").textContent).includes("second ")], [true, false]);
}

// The colour in the middle of a column of a row; "" if there is none.
function colour(row, column) {
	const canvas = all("#when canvas")[row];
	const [r, g, b, a] = canvas.getContext("2d").getImageData(column, canvas.height - 2, 1, 1).data;

	return a === 0 ? "" : r > g && g > b ? "warm" : g > r ? "cold" : "other";
}

async function checkRows() {
	await resize("260px");
	await go("#/graph");
	check("a page that is opened is not scrolled", [one("#content").scrollTop, scrollY], [0, 0]);
	await resize("250px");
	check("nor one whose window gets another size", [one("#content").scrollTop, scrollY], [0, 0]);
	one("#frames").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, cancelable: true }));
	check("but a key brings a frame into sight", [one("#content").scrollTop > 0,
		one("#frames .on").getBoundingClientRect().bottom <= innerHeight], [true, true]);
	await go("#/summary");
	await go("#/graph");
	await resize("1200px");
	check("the row is above the graph", [one("#when").hidden,
		one("#when").getBoundingClientRect().bottom <= one("#frames").getBoundingClientRect().top], [false, true]);
	check("rows of threads", texts(".when-name"), expected.names);
	check("when they ran, and waited", all("#when canvas").map((canvas, row) =>
		Array.from({ length: data.when.columns }, (_, column) => colour(row, column))), expected.colours);
	check("a name that has no room keeps its number", all(".when-name b").map((number) =>
		number.getBoundingClientRect().right <= number.parentNode.getBoundingClientRect().right),
		all(".when-name").map(() => true).slice(0, all(".when-name b").length));
	check("no second is cut at the right", all("#when-scale span").every((second) =>
		second.getBoundingClientRect().right <= one("#when-scale").getBoundingClientRect().right + 1), true);
	const label = plain(all("#when canvas")[0].getAttribute("aria-label"));

	check("... in words", label, expected.words);
}

// With the keyboard alone: two fields; a click gives the whole run.
async function checkFields() {
	await go("#/functions");
	const whole = shown();

	await go("#/graph");
	await type("#when-from", 1);
	check("a field keeps the focus", document.activeElement.id, "when-from");
	check("a range from a field", [Number(one("#when-from").value), one("#whole-run").hidden], [1, false]);
	point("pointerdown", 1.2);
	point("pointerup", 1.2, window);
	await wait();
	check("a click: the whole run", one("#whole-run").hidden, true);
	await go("#/functions");
	check("... with all its figures", shown(), whole);
	await go("#/graph");
	await drag(data.when.start - 1, data.when.start + data.when.step);
	check("a drag from before the first slice begins there",
		[Number(one("#when-from").value), Number(one("#when-to").value)],
		[data.when.start, data.when.start + data.when.step]);
	one("#whole-run").click();
	await wait();
	await type("#when-to", "nonsense");
	check("what is no number changes nothing", one("#whole-run").hidden, true);
}

async function checkRanges() {
	for (const [key, lines] of Object.entries(expected.ranges))
		await checkRange(key, lines);
}

use(() => resize("1200px"), checkRows, checkRanges, checkFields);
