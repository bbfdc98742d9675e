// SPDX-License-Identifier: GPL-3.0-or-later
// When the time was spent: a row of each thread above the flame graph, in which a range can be chosen.

// The columns of each row: [number of frame, ticks, waiting] by column. `picked` are the first column of the range and
// the one after it; null: all.
const when = { rows: [], picked: null, drag: null, box: byId("when-rows") };

// Columns and frames are written as differences to those before.
function readWhenRow(flat) {
	const columns = new Map();
	const each = profile.waiting ? 3 : 2;
	let column = 0;

	for (let i = 0; i < flat.length;) {
		const end = i + 2 + flat[i + 1];
		const entries = [];
		let frame = 0;

		column += flat[i];
		for (i += 2; i < end; i += each) {
			frame += flat[i];
			entries.push([frame, flat[i + 1], each === 3 ? flat[i + 2] : 0]);
		}
		columns.set(column, entries);
	}
	return columns;
}

const whenSecond = (column) => profile.when.start + column * profile.when.step;
const whenDigits = () => (profile.when.step < 0.01 ? 3 : profile.when.step < 1 ? 2 : 1);
const whenText = (column) => whenSecond(column).toFixed(whenDigits());

// So exact that an address chooses the same columns again.
const exactSecond = (column) => Number(whenSecond(column).toPrecision(12));
const rangeText = ([from, to]) => `${whenText(from)}\u2013${whenText(to)}\u202fs`;

// Calls take(frame, ticks, waiting) for all of a row in a range.
function eachWhen(row, [from, to], take) {
	for (const [column, entries] of row) {
		if (column >= from && column < to)
			entries.forEach((entry) => take(...entry));
	}
}

// CPU time and waiting in each column of a row, as parts of the column, or of the largest one.
function whenHeights(row) {
	const sums = Array.from({ length: profile.when.columns }, () => [0, 0]);

	for (const [column, entries] of row) {
		for (const [, amount, wait] of entries) {
			sums[column][profile.exact ? 1 : 0] += amount * profile.perTick;
			sums[column][1] += wait;
		}
	}
	const full = profile.timed ? profile.when.step * 1e9 : Math.max(...sums.map(([cpu, wait]) => cpu + wait));

	return sums.map(([cpu, wait]) => {
		const over = Math.max(full, cpu + wait);

		return [cpu / over, wait / over];
	});
}

const WHEN_HEIGHT = 18;

// CPU time stands on the ground, waiting on it.
function drawWhenRow(canvas) {
	const context = canvas.getContext("2d");
	const colours = ["--heat", "--cool"].map((name) => getComputedStyle(canvas).getPropertyValue(name));

	context.clearRect(0, 0, canvas.width, canvas.height);
	whenHeights(when.rows[canvas.dataset.row]).forEach((parts, column) => {
		let top = canvas.height;

		parts.forEach((part, kind) => {
			const height = part > 0 ? Math.max(part * canvas.height, 1) : 0;

			context.fillStyle = colours[kind];
			context.fillRect(column, top - height, 1, height);
			top -= height;
		});
	});
}

function drawWhen() {
	when.box.querySelectorAll("canvas").forEach(drawWhenRow);
}

// What the row of a thread has in the range.
function whenWords(name, row) {
	let [cpu, wait] = [0, 0];

	eachWhen(row, when.picked || [0, profile.when.columns], (frame, amount, waits) => {
		cpu += amount * profile.perTick;
		wait += waits;
	});
	return `${name}: ${spell(cpu)}${timeKind()}${profile.waiting ? `, ${spell(wait)} waiting` : ""}`;
}

// Marks the range, and the row of the chosen thread.
function showWhen() {
	const [from, to] = when.drag || when.picked || [0, 0];
	const mark = byId("when-mark");
	const { columns } = profile.when;
	const parts = chosenParts();

	mark.hidden = to <= from;
	mark.style.left = from / columns * 100 + "%";
	mark.style.width = (to - from) / columns * 100 + "%";
	byId("when-from").value = whenText(when.drag || when.picked ? from : 0);
	byId("when-to").value = whenText(when.drag || when.picked ? to : columns);
	byId("whole-run").hidden = !when.picked;
	for (const row of when.box.querySelectorAll(".when-row")) {
		const words = whenWords(row.dataset.name, when.rows[row.dataset.row]);

		row.classList.toggle("aside", profile.threads.length > 0 && !parts.includes(Number(row.dataset.row)));
		row.title = words;
		row.querySelector("canvas").setAttribute("aria-label", words);
	}
}

// A range of columns; null if there are none, or all.
function rangeOfColumns(from, to) {
	const { columns } = profile.when;
	const ends = [Math.max(Math.min(from, to), 0), Math.min(Math.max(from, to), columns)];

	return ends[1] > ends[0] && ends[1] - ends[0] < columns ? ends : null;
}

// Chooses columns; none, or all: the whole run.
function pickWhen(from, to) {
	when.drag = null;
	when.picked = rangeOfColumns(from, to);
	choosePart();
}

// The column with the edge of a range at a second: the range has those whose middle is inside, as for --from and --to.
function columnAt(second, usual) {
	const at = parseFloat(second);

	return Number.isNaN(at) ? usual : Math.ceil((at - profile.when.start) / profile.when.step - 0.5 - 1e-3);
}

const rangeOf = (from, to) => rangeOfColumns(columnAt(from, 0), columnAt(to, profile.when.columns));

// The range in the two fields.
function typeWhen({ target: field }) {
	pickWhen(columnAt(byId("when-from").value, 0), columnAt(byId("when-to").value, profile.when.columns));
	field.focus();
}

function startWhenDrag(event) {
	const area = byId("when-area").getBoundingClientRect();
	const at = (x) => (x - area.left) / area.width * profile.when.columns;
	const start = at(event.clientX);
	const drag = (move) => {
		const now = at(move.clientX);

		when.drag = [Math.max(Math.floor(Math.min(start, now)), 0),
			Math.min(Math.ceil(Math.max(start, now)), profile.when.columns)];
		showWhen();
	};
	const end = (up) => {
		const moved = Math.abs(up.clientX - event.clientX) >= 3;

		window.removeEventListener("pointermove", drag);
		window.removeEventListener("pointerup", end);
		window.removeEventListener("pointercancel", end);
		drag(up);
		pickWhen(...moved ? when.drag : [0, 0]);
	};

	if (event.button !== 0)
		return;
	event.preventDefault();
	window.addEventListener("pointermove", drag);
	window.addEventListener("pointerup", end);
	window.addEventListener("pointercancel", end);
}

// A name that has no room is cut before its number, by which threads of one name are told apart.
function whenName(name) {
	const at = name.search(/ (\(TID \d+\)|\d+)$/);
	const stem = at < 0 ? name : name.slice(0, at);

	return make("span", { class: "when-name", title: name }, make("span", null, stem),
		...at < 0 ? [] : [make("b", null, name.slice(at))]);
}

function makeWhenRow(name, i) {
	const canvas = make("canvas", { role: "img", width: profile.when.columns, height: WHEN_HEIGHT, "data-row": i });

	return make("div", { class: "when-row", "data-row": i, "data-name": name },
		whenName(name), canvas);
}

// Seconds below the rows, at round numbers.
function whenScale() {
	const [from, to] = [whenSecond(0), whenSecond(profile.when.columns)];
	const rough = (to - from) / 6;
	const power = 10 ** Math.floor(Math.log10(rough));
	const step = [1, 2, 5, 10].find((n) => n * power >= rough) * power;
	const ticks = [];

	for (let i = Math.ceil(from / step); i * step <= to; i++) {
		const part = (i * step - from) / (to - from);
		const tick = make("span", { class: part > 0.9 ? "end" : null }, `${Number((i * step).toPrecision(6))}\u202fs`);

		tick.style.left = part * 100 + "%";
		ticks.push(tick);
	}
	return ticks;
}

function startWhen() {
	if (!profile.when || !profile.sampled)
		return;
	const names = profile.threads.length > 0 ? profile.threads.map(threadName) : [profile.base];

	when.rows = profile.when.rows.map(readWhenRow);
	byId("when").hidden = false;
	when.box.append(...when.rows.map((row, i) => makeWhenRow(names[i], i)));
	byId("when-scale").append(...whenScale());
	byId("when-waiting").hidden = !profile.waiting && !profile.exact;
	byId("when-cpu").hidden = profile.exact;
	byId("when-timeless").hidden = profile.when.timeless === 0;
	byId("when-timeless").textContent = `${plural(profile.when.timeless, "sample")} of unknown time`;
	when.box.addEventListener("pointerdown", startWhenDrag);
	for (const id of ["when-from", "when-to"])
		byId(id).addEventListener("change", typeWhen);
	byId("whole-run").addEventListener("click", () => pickWhen(0, 0));
	new MutationObserver(drawWhen).observe(document.documentElement, { attributeFilter: ["data-theme"] });
	drawWhen();
	showWhen();
}
