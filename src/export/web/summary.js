// SPDX-License-Identifier: GPL-3.0-or-later
// The first view, like --top: what the profile is, what is wrong, and the functions with most time.

const HOT = 10;

// A function's line with most samples and caller with most time; for a single thread, only the caller.
function hotOf(f) {
	const whole = profile.whole[f];
	const [first] = neighboursOf(f, true).filter(({ other }) => other !== f);

	return { f, file: "", line: 0, lineShare: 0, caller: first && first.time > 0 ? first.other : -1,
		callerShare: first && whole > 0 ? first.time / whole : 0 };
}

function hottest() {
	if (!profile.thread)
		return profile.hot.map(([f, file, line, lineShare, caller, callerShare]) =>
			({ f, file, line, lineShare, caller, callerShare }));
	return profile.all.filter((f) => profile.self[f] > 0)
		.sort((a, b) => profile.self[b] - profile.self[a] || profile.ncalls[b] - profile.ncalls[a])
		.slice(0, HOT).map(hotOf);
}

// At least 1, and less than 100 unless it is all.
function wholePercent(part) {
	const rounded = Math.round(part * 100);

	return `${rounded < 1 ? 1 : rounded > 99 && part < 1 ? 99 : rounded}\u202f%`;
}

// The details that have no column; those dropped last are first here.
const hotColumns = [
	{ head: "<Function", cell: ({ f }) => nameCell(f) },
	{ head: "Self %", width: 132, cell: ({ f }) => shareCell(share(profile.self[f])),
		tip: `Own ${measure}, of all ${measure}` },
	{ head: `Self${unit}`, width: 76, room: "some", cell: ({ f }) => timeCell(profile.self[f]),
		tip: `${Measure} in the function itself` },
	{ head: `±${unit}`, width: 66, room: "more", has: () => !profile.exact,
		cell: ({ f }) => errorCell(f), tip: errorTip },
	{ head: `Total${unit}`, width: 84, room: "little", called: true,
		cell: ({ f }) => cell(wholeMark(f) + seconds(profile.whole[f])),
		tip: `Own ${measure} with that of what it calls; ~: estimated from numbers of calls` },
	{ head: "Calls", width: 116, room: "most", counted: true,
		cell: ({ f }) => cell(profile.outer[f] ? callCount(f, profile.outer[f]) : ""),
		tip: "Calls from other functions" },
	{ head: "Per call", width: 88, room: "all", counted: true,
		cell: ({ f }) => cell(profile.outer[f] && hasCallTimes(f)
			? wholeMark(f) + spell(profile.whole[f] / profile.outer[f]) : "", "faint"),
		tip: `${Measure} of one call, with that of what it calls` },
	{ head: "<Hottest line", width: 216, room: "good", cell: lineCell, has: ({ line }) => line > 0,
		tip: "The line with the most of its samples, and how many of these" },
	{ head: "<Top caller", width: 236, room: "much", cell: callerCell, has: ({ caller }) => caller >= 0,
		tip: `The caller for which it had the most of its ${measure}, and how much` },
];

function lineCell({ f, file, line, lineShare }) {
	if (line === 0)
		return cell("", "text");
	return make("td", { class: "text", title: `${file}:${line}` },
		make("span", { class: "part" }, wholePercent(lineShare)),
		make("a", { href: functionAddress(f) }, `${file.replace(/^.*\//, "")}:${line}`));
}

// The name takes the room that the share leaves.
function callerCell({ caller, callerShare }) {
	if (caller < 0)
		return cell("", "text");
	return make("td", { class: "text", title: profile.name[caller] },
		make("span", { class: "part" }, estimated() + wholePercent(callerShare)),
		make("a", { href: functionAddress(caller) }, briefName(caller, 20)));
}

function hotTable(rows) {
	const shown = hotColumns.filter(({ counted, called, has }) =>
		!(counted && !profile.counted) && !(called && !profile.counted && !profile.measured) &&
		!(has && !rows.some(has)));
	const roomOf = (column) => (column.room ? `room-${column.room}` : "");
	const heads = shown.map((column) => {
		const head = make("th", { scope: "col", title: column.tip,
			class: `${column.head.startsWith("<") ? "text " : ""}${roomOf(column)}` }, column.head.replace("<", ""));

		if (column.width)
			head.style.width = column.width + "px";
		return head;
	});
	const cells = (row) => shown.map((column) => {
		const made = column.cell(row);

		made.classList.add(...[roomOf(column)].filter(Boolean));
		return made;
	});

	return make("table", null, make("caption", { class: "unseen" }, "The functions with the most time"),
		make("thead", null, make("tr", null, ...heads)),
		make("tbody", null, ...rows.map((row) => make("tr", null, ...cells(row)))));
}

// The greatest error of any share.
const shareError = () => (profile.thread ? samplingError(profile.total / 2, profile.total) : profile.shareError);

function summaryFacts() {
	const facts = [];

	if (profile.took && !profile.thread)
		facts.push(`${Number(profile.took.toPrecision(3))}\u202fs elapsed`);
	if (profile.ending && !profile.thread)
		facts.push(profile.ending);
	if (profile.waiting)
		facts.push(`${spell(profile.totalWaiting)} of waiting, in the flame graph and the list of functions`);
	if (profile.total > 0 && !profile.exact) {
		facts.push(`shares good to ±${percent(shareError() * 100)}`);
		facts.push(profile.measured ? "all times measured from call stacks"
			: profile.counted ? "self time measured, ~ estimated from numbers of calls" : "self time measured");
	}
	if (!profile.counted)
		facts.push("calls were not counted");
	if (profile.written)
		facts.push(`written ${profile.written}`);
	return make("p", { class: "muted" }, facts.join("  \u00b7  "));
}

// Sentences begin with the key of the finding: "! key: ".
function wrongOf(sentence) {
	const [, key, words] = /^! ([^:]*): (.*)$/s.exec(sentence) || [null, "", sentence];

	return make("li", null, make("b", null, key), " ", words);
}

function showSummary() {
	const rows = hottest();
	const busy = profile.all.filter((f) => profile.self[f] > 0).length;
	const more = busy > rows.length ? `${things(busy)} with samples` : things(profile.n);

	byId("summary").replaceChildren(...[
		make("h2", { class: "unseen", tabindex: -1 }, "Summary"),
		summaryFacts(),
		profile.wrong.length === 0 ? null : make("div", { class: "wrong", role: "note" },
			make("ul", null, ...profile.wrong.map(wrongOf))),
		rows.length === 0 ? null : make("div", { class: "sheet hot" }, hotTable(rows)),
		processesOf(),
		make("p", { class: "rest" }, make("a", { href: "#/functions" }, `All: ${more}`),
			...profile.sampled ? [make("a", { href: "#/graph" }, "Flame graph")] : [])].filter(Boolean));
	fitNames(byId("summary"));
}

function startSummary() {
	window.addEventListener("resize", () => {
		if (!byId("summary").hidden)
			fitNames(byId("summary"));
	});
}
