// SPDX-License-Identifier: GPL-3.0-or-later
// The programs of a run with their processes and command lines, in the summary.

function partLink(key) {
	return make("a", { href: joinAddress("#/graph", new URLSearchParams({ process: key })) }, key);
}

// The time of some ticks.
const timeOf = (n) => n * profile.perTick;

function processRow(process) {
	return [make("td", { class: "text" }, partLink(processName(process))),
		shareCell(share(timeOf(process.ticks))), timeCell(timeOf(process.ticks)),
		...waiting ? [timeCell(process.waits)] : [],
		make("td", { class: "text command", title: process.command }, process.command || "")];
}

// A program unfolds to its processes.
function programOf(program) {
	const sum = (of) => program.processes.reduce((n, process) => n + of(process), 0);
	const n = sum((process) => process.n);
	const part = sum((process) => process.ticks);
	const waits = waiting ? ` \u00b7 ${spell(sum((process) => process.waits))} waiting` : "";
	const heads = [["<Process", 200], ["Self %", 132], [`Self${unit}`, 76], ...waiting ? [["Waiting s", 84]] : [],
		["<Command"]];

	return make("details", { class: "program" },
		make("summary", null, make("b", null, program.name),
			`  ${percent(ticks > 0 ? part / ticks * 100 : 0)} \u00b7 `,
			`${spell(timeOf(part))}${waits} \u00b7 ${plural(n, "process", "processes")}`),
		simpleTable(`Processes of ${program.name}`, heads, program.processes.map(processRow)));
}

// Nothing without several processes, or where a part of the run is chosen.
function processesOf() {
	if (programs.length === 0 || profile.thread)
		return null;
	return make("div", { class: "sheet programs" },
		make("h3", null, plural(programs.length, "program")), ...programs.map(programOf));
}
