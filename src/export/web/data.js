// SPDX-License-Identifier: GPL-3.0-or-later
// The profile as functions, arcs and frames, and what all views use to format numbers and make elements.

const began = performance.now();

// The width of a character of a name in a table, in pixels.
const CHARACTER = 7.83;

// Prefix sums: the sum of the elements before each index.
function starts(counts) {
	const start = new Uint32Array(counts.length + 1);

	counts.forEach((n, i) => {
		start[i + 1] = start[i] + n;
	});
	return start;
}

// Arcs are sorted by caller; `into` lists those into a function.
function readArcs(data) {
	const start = starts(data.arcs);
	const from = new Uint32Array(data.to.length);
	const into = Array.from(data.name, () => []);

	for (let f = 0; f < data.name.length; f++) {
		for (let i = start[f]; i < start[f + 1]; i++) {
			from[i] = f;
			into[data.to[i]].push(i);
		}
	}
	return { start, from, into };
}

// Five numbers per frame, in depth-first order, so that a frame's left edge follows from those before it. `waits` has
// the waiting part of each frame's self time; it may be missing.
function readFrames(flat, waits) {
	const frames = [];
	const open = [];

	for (let i = 0; i < flat.length; i += 5) {
		const [f, depth, total, self, count] = flat.slice(i, i + 5);
		const parent = depth > 0 ? open[depth - 1] : null;
		const before = open[depth];
		const follows = before && before.parent === parent;
		const left = follows ? before.at + before.total : parent ? parent.at : 0;

		const wait = waits ? waits[frames.length] : 0;

		open[depth] = { id: frames.length, f, depth, total, self, count, parent, at: left, wait, waiting: wait };
		frames.push(open[depth]);
	}
	for (const { parent, waiting } of waits ? frames.slice().reverse() : []) {
		if (parent)
			parent.waiting += waiting;
	}
	return frames;
}

// The lines of each file, by number, with the functions that were inlined there: their numbers, or names if they have
// none.
function readLineTimes({ lineTimes, lineInlined }) {
	const files = new Map();

	for (let i = 0; i < lineTimes.length; i += 4) {
		const [file, line, own, whole] = lineTimes.slice(i, i + 4);

		if (!files.has(file))
			files.set(file, new Map());
		files.get(file).set(line, { self: own, whole, inlined: [] });
	}
	for (let i = 0; i < lineInlined.length; i += 5) {
		const [file, line, f, own, whole] = lineInlined.slice(i, i + 5);

		files.get(file).get(line).inlined.push({ f, self: own, whole });
	}
	return files;
}

// Names are written without the prefix that they share with the one before.
function readNames({ name, shared }) {
	name.forEach((rest, f) => {
		name[f] = f > 0 ? name[f - 1].slice(0, shared[f]) + rest : rest;
	});
}

// Columns that have no value but 0 are empty.
function fillColumns(data) {
	for (const key of ["shared", "self", "low", "high", "samples", "below", "waiting", "waitingDeviation", "outer",
		"recursive", "partial", "line", "file", "object", "arcs", "cycle"]) {
		if (data[key] && data[key].length === 0)
			data[key] = data.name.map(() => 0);
	}
}

function readProfile() {
	const data = JSON.parse(document.getElementById("data").textContent);

	fillColumns(data);
	readNames(data);
	const n = data.name.length;

	return Object.assign(data, {
		n,
		// A profile without a single tick has no times.
		sampled: data.sampled && (data.ticks > 0 || data.totalWaiting > 0),
		clocked: data.sampled,
		all: Array.from({ length: n }, (_, f) => f),
		whole: data.self.map((self, f) => self + data.below[f]),
		ncalls: data.outer.map((calls, f) => calls + data.recursive[f]),
		// Functions that may have had more calls than were counted.
		partial: data.partial || [],
		lineTime: readLineTimes(data),
		frames: readFrames(data.frames, data.frameWaits),
		up: data.up || data.time,
		// Set if times are from call stacks.
		measured: Boolean(data.quality),
		threads: data.threads || [],
		// The selected thread; null: all.
		thread: null,
		base: data.program.slice(data.program.lastIndexOf("/") + 1),
	}, { arc: readArcs(data) });
}

const profile = readProfile();

// Three significant digits, and their unit.
function amount(x) {
	if (!profile.timed)
		return [integer(x), profile.counts !== "samples" ? profile.counts : x === 1 ? "sample" : "samples"];
	const units = ["ns", "µs", "ms", "s"];
	let u = 0;

	for (; u < 3 && x >= 999.5; u++)
		x /= 1000;
	if (u === 0 && Number.isInteger(x))
		return [x.toFixed(0), units[u]];
	return [x.toFixed(x >= 99.95 ? 0 : x >= 9.995 ? 1 : 2), units[u]];
}

// The name of the measured quantity, and its unit for the heads of columns.
const measure = profile.timed ? "time" : profile.counts;
const Measure = measure[0].toUpperCase() + measure.slice(1);
const unit = profile.timed ? " s" : "";

// Whole columns are in seconds, so that values are easy to compare.
function seconds(x) {
	return profile.timed ? (x / 1e9).toFixed(3) : integer(x);
}

const spell = (x) => amount(x).join("\u202f");

// A period, without trailing zeros.
function period() {
	const [number, unit] = amount(profile.perTick);

	return `${Number(number)}\u202f${unit}`;
}

const integer = (x) => x.toLocaleString("en-US").replaceAll(",", "\u202f");
const plural = (n, one, many = one + "s") => `${integer(n)} ${n === 1 ? one : many}`;
const share = (x) => (profile.total > 0 ? x / profile.total * 100 : 0);
const percent = (x, digits = 1) => x.toFixed(digits) + "\u202f%";

// Half the width of Wilson's interval, at profile.level, of a time's share of all samples.
function samplingError(time, all) {
	const { z, perTick, perSample } = profile;
	const N = all / perTick / perSample;
	const n = Math.min(time / perTick / perSample, N);

	return N > 0 ? z / (N + z * z) * Math.sqrt(n * (N - n) / N + z * z / 4) : 1;
}

// With --confidence, the confidence interval of a time; it is unknown for single threads.
const hasInterval = () => Boolean(profile.low) && !profile.thread;
const interval = (f, write) => `${write(profile.low[f])}\u2009–\u2009${write(profile.high[f])}`;

// The error of a function's self time in all views: half the width of its interval.
const errorOf = (f) => (hasInterval() ? (profile.high[f] - profile.low[f]) / 2
	: samplingError(profile.self[f], profile.total) * profile.total);
const errorTip = `Sampling error of the own time: half of its ${profile.level} % interval`;

// How far chance may have put waiting into other functions, at profile.level; it is unknown for single threads.
const hasWaitingError = () => Boolean(profile.waitingDeviation) && !profile.thread;
const waitingErrorOf = (f) => (hasWaitingError() ? profile.z * profile.waitingDeviation[f] : 0);
const waitingErrorTip = "How far chance may have put waiting into other functions: looks decide where short waits were";

const waitingOf = (f) => (profile.waiting ? profile.waiting[f] : 0);

// The default length of shortened names, in characters, where the available width is not measured.
const NAME_ROOM = 60;

// The characters that the mark of inlined functions takes in tables.
const INLINED_ROOM = 5;

// gprof marks names of inlined functions, which the page shows by a tint.
const INLINED = " (inlined)";
const isInlined = (f) => f >= 0 && profile.name[f].includes(INLINED);
const plainName = (f) => profile.name[f].replace(INLINED, "");

// A text cut to a number of characters, without its middle.
function cutText(text, room) {
	const head = Math.ceil(Math.max(room, 8) * 0.62);

	return text.length <= room ? text
		: `${text.slice(0, head)}\u2026${text.slice(text.length - Math.max(room, 8) + head + 1)}`;
}

// A function's name in a number of characters: all of it, or the short name that gprof has made, cut if it must be.
function briefName(f, room) {
	const whole = plainName(f);

	return whole.length <= room ? whole : cutText(profile.brief[f] || whole, room);
}

// Shortens the names in an element's links to functions to the width of their cells, and to `most` pixels.
function fitNames(box, most = Infinity) {
	const links = Array.from(box.querySelectorAll("td.text > a[data-f]"));
	const rooms = links.map((a) => {
		const { paddingLeft, paddingRight } = getComputedStyle(a.parentElement);

		return a.parentElement.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
	});

	links.forEach((a, i) => {
		if (rooms[i] > 0)
			a.textContent = briefName(a.dataset.f, Math.floor(Math.min(rooms[i], most) / CHARACTER) -
				(isInlined(a.dataset.f) ? INLINED_ROOM : 0));
	});
}

// Parses a search: words that must all occur, a text in quotes, or a regular expression between slashes.
function matcher(query) {
	const whole = /^"(.+)"$/s.exec(query);

	if (whole)
		return (text) => text.includes(whole[1]);
	const pattern = /^\/(.*?)\/?$/s.exec(query.trim());

	if (pattern) {
		const expression = new RegExp(pattern[1], "i");

		return pattern[1] === "" ? null : (text) => expression.test(text);
	}
	const words = query.toLowerCase().split(/\s+/).filter((word) => word !== "");

	return words.length === 0 ? null : (text) => words.every((word) => text.toLowerCase().includes(word));
}

// Returns the matcher for the text in `field`; marks `field` and `found` if it is an invalid regular expression.
function searchOf(field, found) {
	try {
		const match = matcher(field.value);

		field.removeAttribute("aria-invalid");
		return match;
	} catch (error) {
		field.setAttribute("aria-invalid", "true");
		found.textContent = error.message;
		return undefined;
	}
}

// An element with attributes and children; strings become text, never markup.
function make(tag, attributes, ...children) {
	const element = document.createElement(tag);

	for (const [name, value] of Object.entries(attributes || {})) {
		if (value !== null && value !== undefined && value !== false)
			element.setAttribute(name, value);
	}
	element.append(...children.filter((child) => child !== null && child !== undefined));
	return element;
}

// What is known of more than the selected part, after some words; "" if all is selected.
const ofAll = (words) => (profile.thread ? words + profile.thread.of : "");

const things = (n) => plural(n, "function");

const byId = (id) => document.getElementById(id);
const link = (f, attributes) => make("a", {
	href: functionAddress(f), title: profile.name[f], "data-f": f, class: isInlined(f) ? "inlined" : null,
	...attributes,
}, briefName(f, NAME_ROOM));

// Estimated figures have a mark in front: without call stacks, those of a function with what it calls.
const estimated = (is = true) => (is && !profile.measured ? "~" : "");
const callCount = (f, calls) => (profile.partial[f] ? "\u2265\u202f" : "") + integer(calls);
const hasCallTimes = (f) => profile.ncalls[f] > 0 && !profile.partial[f] && !profile.thread;
const wholeMark = (f) => estimated(profile.below[f] > 0);

// A percentage beside a bar on a scale from 0 to 100.
function shareCell(part, kind, mark = "") {
	const bar = make("i", { class: kind });

	bar.style.width = `calc(${Math.min(part / 100, 1)} * (100% - var(--indent) - var(--digits)))`;
	return make("td", { class: "share" }, bar, make("span", null, mark + percent(part)));
}

function fileOf(f) {
	const path = profile.files[profile.file[f]];

	return path ? `${path}:${profile.line[f]}` : "";
}

// The same, without directories.
const placeOf = (f) => fileOf(f).replace(/^.*\//, "");

// A table made of a caption, heads and rows of cells; heads of left-aligned columns begin with "<".
function simpleTable(caption, heads, rows) {
	const head = heads.map(([text, width]) => {
		const cell = make("th", { scope: "col", class: text.startsWith("<") ? "text" : null },
			text.replace("<", ""));

		if (width)
			cell.style.width = width + "px";
		return cell;
	});

	return make("table", null, make("caption", { class: "unseen" }, caption),
		make("thead", null, make("tr", null, ...head)),
		make("tbody", null, ...rows.map((cells) => make("tr", null, ...cells))));
}

const cell = (text, kind) => make("td", { class: kind }, text);
const timeCell = (x, mark = "") => cell(x > 0 ? mark + seconds(x) : "0", x > 0 ? null : "faint");
const nameCell = (f) => make("td", { class: "text" }, link(f));
