// SPDX-License-Identifier: GPL-3.0-or-later
// One function: its numbers, who calls it, what it calls, its source.

function fact(name, value, more, tip) {
	return make("div", { title: tip }, make("dt", null, name),
		make("dd", null, value, more ? make("small", null, " " + more) : null));
}

function factsOf(f) {
	const { self, whole, ncalls, recursive } = profile;
	const facts = [];

	if (profile.sampled) {
		facts.push(
			fact("Self", spell(self[f]), percent(share(self[f])), "Time in the function itself"),
			fact("Total", spell(whole[f]), percent(share(whole[f])), "With what it calls"),
			fact("Sampling error", "± " + spell(deviation(f)), plural(profile.samples[f], "sample"),
				"One standard deviation of the own time"));
	}
	if (profile.counted) {
		const again = recursive[f] ? `${integer(recursive[f])} from itself` : "";

		facts.push(fact("Calls", integer(ncalls[f]), again));
		if (profile.sampled && ncalls[f])
			facts.push(fact("Per call", spell(perCall(f)), `self, ${spell(whole[f] / ncalls[f])} total`));
	}
	return make("dl", { class: "facts" }, ...facts);
}

// Arcs of one function, those that bring most first; the other end of each.
function neighboursOf(f, into) {
	const { arc } = profile;
	const arcs = into ? arc.into[f].slice() : [];

	for (let i = arc.start[f]; !into && i < arc.start[f + 1]; i++)
		arcs.push(i);
	return arcs
		.sort((a, b) => profile.time[b] - profile.time[a] || profile.calls[b] - profile.calls[a])
		.map((i) => ({ i, other: into ? arc.from[i] : profile.to[i] }));
}

function neighbourRow(f, { i, other }, whole) {
	const { cycle, time, calls } = profile;
	const inside = other === f || (cycle[f] !== 0 && cycle[f] === cycle[other]);
	const cells = [];

	if (profile.sampled && inside && time[i] === 0) {
		const note = other === f ? "itself" : `cycle ${cycle[f]}`;

		cells.push(make("td", { class: "faint", colspan: 2,
			title: "Calls that lead back bring no time of their own" }, note));
	} else if (profile.sampled) {
		cells.push(timeCell(time[i]), shareCell(whole > 0 ? time[i] / whole * 100 : 0));
	}
	return [nameCell(other), cell(integer(calls[i])), ...cells];
}

function neighbourTable(f, into) {
	const { whole, ncalls } = profile;
	const neighbours = neighboursOf(f, into);
	const title = into ? "Called by" : "Calls";
	const heads = [["<Function"], ["Calls", 104]];
	const empty = into ? ncalls[f] ? "No caller was recorded." : "Nobody is known to call it."
		: "No calls of others were recorded.";

	if (profile.sampled)
		heads.push([profile.timed ? "Time s" : "Samples", 76], ["Of total", 92]);
	const rows = neighbours.map((neighbour) => neighbourRow(f, neighbour, whole[f]));
	const content = rows.length ? simpleTable(`${title}: ${profile.name[f]}`, heads, rows)
		: make("p", { class: "muted" }, empty);

	return make("div", { class: "sheet" },
		make("h3", null, rows.length ? `${title} ${things(rows.length)}` : title),
		content);
}

// What is known of each line of a file: time and calls of the functions that begin there.
function lineNotes(file) {
	const notes = new Map();

	for (const f of profile.all) {
		if (profile.file[f] !== file)
			continue;
		const note = notes.get(profile.line[f]) || { self: 0, calls: 0 };

		note.self += profile.self[f];
		note.calls += profile.outer[f];
		notes.set(profile.line[f], note);
	}
	return notes;
}

function sourceRow(text, line, at, note) {
	let value = "";

	if (note)
		value = note.self > 0 ? spell(note.self) : note.calls > 0 ? `${integer(note.calls)}\u00d7` : "";
	return make("div", { class: line === at ? "row at" : "row" },
		make("b", null, value), make("em", null, String(line)), make("span", null, text || " "));
}

function sourceOf(f) {
	const { file, line, source } = profile;
	const holds = ([of, first, text]) => of === file[f] && first <= line[f] &&
		line[f] < first + text.split("\n").length;
	const excerpt = source.find(holds);

	if (!excerpt)
		return null;
	const [, first, text] = excerpt;
	const notes = lineNotes(file[f]);
	const rows = text.replace(/\n$/, "").split("\n").map((content, i) =>
		sourceRow(content, first + i, line[f], notes.get(first + i)));

	return make("div", { class: "sheet source" }, make("h3", null, "Source"),
		make("pre", { class: "code", tabindex: 0, "aria-label": "Source text" }, ...rows));
}

function showFunction(f) {
	const section = byId("function");

	if (!(f >= 0 && f < profile.n)) {
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
		make("h2", { class: "title", tabindex: -1 }, profile.name[f]),
		make("p", { class: "path" }, path || "source unknown",
			...profile.sampled ? ["  ·  ", make("a",
				{ href: `#/graph?q=${encodeURIComponent(profile.name[f])}` }, "in the flame graph")] : []),
		...[member].filter(Boolean),
		factsOf(f),
		...profile.counted ? [make("div", { class: "sides" }, neighbourTable(f, true), neighbourTable(f, false))] : [],
		...[source].filter(Boolean));
	const at = section.querySelector(".row.at");

	if (at)
		at.closest(".code").scrollTop = at.offsetTop - at.closest(".code").offsetTop - 120;
}

// Up and down move among the links of the two tables.
function pressInFunction(event) {
	const links = Array.from(byId("function").querySelectorAll("td a"));
	const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
	const at = links.indexOf(document.activeElement);

	if (!step || links.length === 0 || event.target.closest(".code"))
		return;
	event.preventDefault();
	links[at < 0 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1)].focus();
}
