// SPDX-License-Identifier: GPL-3.0-or-later
// Cycles, that is, functions that call each other recursively, and what gprof knows about them.

// The warning for estimated times if there are cycles.
const otherRules = "The call graph of the text reports divides the time of a cycle by other rules: there, " +
	"functions in cycles and above them have other times with their callees.";

const membersOf = (number) => profile.all.filter((f) => profile.cycle[f] === number);

function memberRow(f) {
	const { arc, below, calls, cycle, self } = profile;
	const sum = (outside) => arc.into[f].filter((i) => (cycle[arc.from[i]] !== cycle[f]) === outside)
		.reduce((n, i) => n + calls[i], 0);
	const time = profile.sampled ? [timeCell(self[f]), timeCell(below[f], estimated(below[f] > 0))] : [];

	return [nameCell(f), ...time, cell(integer(sum(true))), cell(integer(sum(false)))];
}

function membersTable(number, members) {
	const time = profile.sampled ? [[`Self${unit}`, 76], [`Callees${unit}`, 90]] : [];
	const heads = [["<Member"], ...time, ["Outer calls", 104], ["Inner calls", 110]];

	return simpleTable(`Members of cycle ${number}`, heads, members.map(memberRow));
}

// The arcs within the cycle, with the fewest calls first: these may be the recursive calls that close it.
function arcsTable(number, members) {
	const { arc, calls, cycle, to } = profile;
	const arcs = members
		.flatMap((f) => Array.from({ length: arc.start[f + 1] - arc.start[f] }, (_, k) => arc.start[f] + k))
		.filter((i) => cycle[to[i]] === number)
		.sort((a, b) => calls[b] - calls[a]);
	const all = arcs.reduce((n, i) => n + calls[i], 0);
	const rows = arcs.map((i) => [nameCell(arc.from[i]), nameCell(to[i]), cell(integer(calls[i])),
		shareCell(all > 0 ? calls[i] / all * 100 : 0, "below")]);

	return simpleTable(`Calls inside cycle ${number}`,
		[["<Caller"], ["<Callee"], ["Calls", 104], ["Of these", 92]], rows);
}

function cyclePart(number) {
	const [self, below, outer, inner] = profile.cycles[number - 1];
	const mark = estimated(below > 0);
	const members = membersOf(number).sort((a, b) => profile.self[b] - profile.self[a]);
	const facts = profile.sampled ? [
		fact("Total", mark + spell(self + below), mark + percent(share(self + below)), "Members and what they call"),
		fact("In the members", spell(self), percent(share(self))),
		fact("In what they call", mark + spell(below), mark + percent(share(below))),
	] : [];

	return make("article", { class: "cycle", id: `cycle-${number}`, "aria-labelledby": `cycle-${number}-title` },
		make("h2", { id: `cycle-${number}-title`, tabindex: -1 },
			`Cycle ${number}: ${plural(members.length, "function")}`),
		make("dl", { class: "facts" }, ...facts, fact("Calls from outside", integer(outer)),
			fact("Calls among members", integer(inner))),
		make("div", { class: "sides" },
			make("div", { class: "sheet" }, make("h3", null, "Members"),
				membersTable(number, members)),
			make("div", { class: "sheet" }, make("h3", null, "Calls inside"), arcsTable(number, members))));
}

function showCycles(number) {
	const section = byId("cycles");
	const n = profile.cycles.length;

	if (section.childElementCount === 0) {
		section.append(make("div", { class: "prose" },
			make("p", null, profile.measured
				? "Times are from call stacks, so functions that call each other in a circle have times of " +
				"their own, and no cycles are made of them."
				: n === 0 ? "No functions call each other in a circle."
				: "Functions that call each other, directly or through others, form a cycle. Counts of calls " +
				"cannot tell which member works for which, so a cycle counts as one: its time is that of all " +
				"members with what they call outside, and the flame graph shows it as one frame."),
			...n === 0 ? [] : [make("p", { class: "muted" },
				"What a member has of the others\u2019 time is a guess from calls; those that lead back " +
				"bring none. Where few " +
				"calls close the circle, gprof -k CALLER/CALLEE leaves those out and takes it apart.")],
			...n > 0 && profile.estimated ? [make("p", null, otherRules)] : []));
		for (let c = 1; c <= n; c++)
			section.append(cyclePart(c));
	}
	fitNames(section);
	const part = byId(`cycle-${number}`);

	if (part)
		part.scrollIntoView();
	return part ? part.querySelector("h2") : null;
}
