// SPDX-License-Identifier: GPL-3.0-or-later
// The view of one function: its numbers, callers, callees and source.

function fact(name, value, more, tip) {
	return make("div", { title: tip }, make("dt", null, name),
		make("dd", null, value, more ? make("small", null, " " + more) : null));
}

function factsOf(f) {
	const { self, whole, ncalls, recursive } = profile;
	const facts = [];

	if (profile.sampled) {
		facts.push(
			fact("Self", spell(self[f]), percent(share(self[f])), `${Measure} in the function itself`),
			fact("Total", wholeMark(f) + spell(whole[f]), wholeMark(f) + percent(share(whole[f])),
				"With what it calls; ~: estimated from numbers of calls"));
		if (profile.waiting)
			facts.push(fact("Waiting", spell(profile.waiting[f]),
				hasWaitingError() ? "± " + spell(waitingErrorOf(f)) : "",
				"Time that threads were blocked in it, or in what it calls"));
	}
	if (profile.sampled && !profile.exact) {
		facts.push(fact("Sampling error", "± " + spell(errorOf(f)), plural(profile.samples[f], "sample"), errorTip));
		if (hasInterval())
			facts.push(fact(`${profile.level}\u202f% interval of self`, interval(f, spell), "",
				"By sampling, or what runs differ by"));
	}
	if (profile.counted) {
		const again = recursive[f] ? `${integer(recursive[f])} from itself` : "";

		facts.push(fact(`Calls${ofAll(" in ")}`, callCount(f, ncalls[f]), again));
		if (profile.sampled && hasCallTimes(f))
			facts.push(fact("Per call", spell(perCall(f)),
				`self, ${wholeMark(f)}${spell(whole[f] / ncalls[f])} total`));
	}
	return make("dl", { class: "facts" }, ...facts);
}

// The arcs of a function and their other ends, sorted by descending time; only those of the selected thread.
function neighboursOf(f, into) {
	const { arc, calls, thread } = profile;
	const time = into ? profile.up : profile.time;
	const arcs = into ? arc.into[f].slice()
		: Array.from({ length: arc.start[f + 1] - arc.start[f] }, (_, k) => arc.start[f] + k);

	return arcs
		.filter((i) => !thread || thread.arcs.has(i))
		.sort((a, b) => time[b] - time[a] || calls[b] - calls[a])
		.map((i) => ({ i, other: into ? arc.from[i] : profile.to[i], time: time[i] }));
}

function neighbourRow(f, { i, other, time }, whole) {
	const { cycle, calls } = profile;
	const inside = other === f || (cycle[f] !== 0 && cycle[f] === cycle[other]);
	const cells = [];

	if (profile.sampled && inside && time === 0) {
		const note = other === f ? "itself" : `cycle ${cycle[f]}`;

		cells.push(make("td", { class: "faint", colspan: 2,
			title: "Calls that lead back bring no time of their own" }, note));
	} else if (profile.sampled) {
		cells.push(timeCell(time, estimated()),
			shareCell(whole > 0 ? time / whole * 100 : 0, null, estimated(time > 0)));
	}
	return [nameCell(other), ...profile.counted ? [cell(integer(calls[i]))] : [], ...cells];
}

function neighbourTable(f, into) {
	const { whole, ncalls } = profile;
	const neighbours = neighboursOf(f, into);
	const title = into ? "Called by" : "Calls";
	const heads = [["<Function"], ...profile.counted ? [["Calls", 104]] : []];
	const empty = profile.thread ? `None in ${profile.thread.name}.`
		: into ? ncalls[f] > 0 ? "No caller was recorded." : "Nobody is known to call it."
		: "No calls of others were recorded.";

	if (profile.sampled)
		heads.push([Measure + unit, profile.timed ? 76 : 104], ["Of total", 132]);
	const rows = neighbours.map((neighbour) => neighbourRow(f, neighbour, whole[f]));
	const content = rows.length ? simpleTable(`${title}: ${profile.name[f]}`, heads, rows)
		: make("p", { class: "muted" }, empty);

	return make("div", { class: "sheet" },
		make("h3", null, rows.length ? `${title}: ${things(rows.length)}` : title),
		content);
}

// Calls of the functions that begin on each line of a file.
function lineCalls(file) {
	const calls = new Map();

	for (const f of profile.all) {
		if (profile.file[f] === file && profile.outer[f] > 0)
			calls.set(profile.line[f], (calls.get(profile.line[f]) || 0) + profile.outer[f]);
	}
	return calls;
}

// A line has the time of its code with that of functions inlined there, its calls, number and text.
const noTime = { self: 0, whole: 0, inlined: [] };

// The columns of times: self, its share of all and, from call stacks, inclusive.
const timesOf = ({ self: own, whole }) => (!profile.sampled ? [] : [
	make("b", null, own ? spell(own) : ""),
	make("b", { class: "part" }, own ? percent(share(own)) : ""),
	...profile.measured ? [make("b", { class: "whole-time" }, whole ? spell(whole) : "")] : [],
]);

function sourceRow(text, line, at, time, calls) {
	return make("div", { class: line === at ? "row at" : "row" }, ...timesOf(time),
		...profile.counted ? [make("b", { class: "calls" }, calls ? `${integer(calls)}\u00d7` : "")] : [],
		make("em", null, String(line)), make("span", null, text || " "));
}

// What was inlined on a line, which unfolds; times are parts of the line's.
function inlinedRows({ inlined }) {
	if (inlined.length === 0)
		return [];
	const nameOf = (f) => (typeof f === "number" ? link(f, { class: null })
		: make("span", { title: f }, cutText(f, NAME_ROOM)));
	const rows = inlined.map((part) => make("div", { class: "row" }, ...timesOf(part),
		...profile.counted ? [make("b", { class: "calls" })] : [], make("em"),
		make("span", null, "\u2514 ", nameOf(part.f))));

	return [make("details", { class: "inlines" },
		make("summary", null, `${plural(inlined.length, "function")} inlined here`), ...rows)];
}

const sourceHead = () => make("div", { class: "row head" },
	...profile.sampled ? [make("b", null, "Self"), make("b", { class: "part" }, "Of all"),
		...profile.measured ? [make("b", { class: "whole-time" }, "Incl.")] : []] : [],
	...profile.counted ? [make("b", { class: "calls" }, "Calls")] : [], make("em", null, "Line"));

function sourceOf(f) {
	const { file, line, source } = profile;
	const holds = ([of, first, text]) => of === file[f] && first <= line[f] &&
		line[f] < first + text.split("\n").length;
	const excerpt = source.find(holds);

	if (!excerpt)
		return null;
	const [, first, text] = excerpt;
	const times = profile.lineTime.get(file[f]) || new Map();
	const calls = lineCalls(file[f]);
	const rows = text.replace(/\n$/, "").split("\n").flatMap((content, i) => {
		const time = times.get(first + i) || noTime;

		return [sourceRow(content, first + i, line[f], time, calls.get(first + i)), ...inlinedRows(time)];
	});

	return make("div", { class: "sheet source" }, make("h3", null, "Source"),
		make("pre", { class: "code", tabindex: 0, "aria-label": "Source text" }, sourceHead(), ...rows),
		make("p", { class: "muted" }, "Self and incl. of a line have the time of functions that were inlined there." +
			(profile.thread ? ` Times of lines are those of ${profile.thread.of}.` : "")));
}

// If the page may not use the clipboard, copies the selection.
async function copyText(text) {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		const field = make("textarea", { class: "unseen", "aria-hidden": "true" });

		field.value = text;
		document.body.append(field);
		field.select();
		document.execCommand("copy");
		field.remove();
	}
}

// The name, limited to a few lines until the user expands it.
function titleOf(f) {
	const name = profile.name[f];
	const brief = briefName(f, 200);
	const copy = make("button", { type: "button", class: "quiet", id: "copy" }, "Copy name");

	copy.addEventListener("click", async () => {
		await copyText(name);
		copy.textContent = "Copied";
		copy.focus();
	});
	return make("div", null,
		make("div", { class: "heading" }, make("h2", { class: "title", tabindex: -1 }, brief),
			isInlined(f) ? make("span", { class: "mark" }, "inlined") : null, copy),
		brief === plainName(f) ? null : make("details", { class: "whole" },
			make("summary", null, `All ${integer(name.length)} characters of the name`), make("p", null, name)));
}

function showFunction(f) {
	const section = byId("function");

	if (f < 0) {
		section.replaceChildren(make("p", null, "There is no such function."));
		return;
	}
	const { cycle } = profile;
	const member = cycle[f] ? make("p", { class: "muted" }, "Member of ",
		make("a", { href: `#/cycle/${cycle[f]}` }, `cycle ${cycle[f]}`),
		": what it has of the other members\u2019 time is a guess from calls.") : null;
	const source = sourceOf(f);
	const path = fileOf(f);

	section.replaceChildren(
		titleOf(f),
		make("p", { class: "path" }, path || "source unknown",
			...profile.sampled ? ["  ·  ", make("a",
				{ href: `#/graph?q=${encodeURIComponent(`"${profile.name[f]}"`)}` }, "in the flame graph")] : []),
		...[member].filter(Boolean),
		factsOf(f),
		...profile.counted || profile.measured
			? [make("div", { class: "sides" }, neighbourTable(f, true), neighbourTable(f, false))] : [],
		...[source, codeOf(f), sandwichOf(f)].filter(Boolean));
	const at = section.querySelector(".row.at");

	fitNames(section);
	if (at)
		at.closest(".code").scrollTop = at.offsetTop - at.closest(".code").offsetTop - 120;
}

// Up and Down move between the links of the two tables; Escape leaves the view.
function pressInFunction(event) {
	const links = Array.from(byId("function").querySelectorAll("td a"));
	const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
	const at = links.indexOf(document.activeElement);

	if (event.key === "Escape")
		location.hash = place.outside;
	else if (event.key === "c")
		byId("copy").click();
	if (!step || links.length === 0 || event.target.closest(".code"))
		return;
	event.preventDefault();
	links[at < 0 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1)].focus();
}
