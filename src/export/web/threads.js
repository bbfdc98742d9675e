// SPDX-License-Identifier: GPL-3.0-or-later
// The selection of a process or thread, or of a range of the run: its paths, and the times of functions and calls from
// them. The page has the paths of each part of the run: a thread, or several of no separate interest.

// The data of all threads together.
const { self, samples, below, whole, time, up, total, ticks, lineTime, waiting, totalWaiting } = profile;
const allThreads = {
	thread: null, self, samples, below, whole, time, up, total, ticks, lineTime, waiting, totalWaiting,
};
const allPaths = graph.paths;

// The processes with the programs that they ran, in the order of their time; several may have one entry.
const processes = profile.processes || [];
const programs = [];

// The keys of the selected process, or program, and thread; "": all of them.
const selected = { process: "", thread: "" };

function baseName(path) {
	const base = path.slice(path.lastIndexOf("/") + 1);
	const same = new Set(processes.map(({ program }) => program).filter((other) => other.endsWith(`/${base}`)));

	return path === "" ? "other programs" : same.size > 1 ? path : base;
}

function readProcesses() {
	for (const process of processes) {
		if (programs.length === 0 || programs.at(-1).path !== process.program)
			programs.push({ path: process.program, name: baseName(process.program), processes: [] });
		programs.at(-1).processes.push(process);
		process.of = programs.at(-1);
		process.parts = [];
	}
	profile.threads.forEach((thread, i) => {
		if (processes.length > 0)
			processes[thread.process].parts.push(i);
	});
}

function processName({ pid, n, of }) {
	return pid === undefined ? `${plural(n, of.processes.length > 1 ? "other process" : "process",
		of.processes.length > 1 ? "other processes" : "processes")} of ${of.name}` : `${of.name} ${pid}`;
}

// The name of a thread in its process.
function ownName({ name, tid, n }) {
	return tid === undefined ? plural(n, processes.length > 0 ? "thread" : "other thread")
		: `${name || "thread"} (TID ${tid})`;
}

function threadName(thread) {
	const process = processes[thread.process];

	return !process ? ownName(thread)
		: process.parts.length > 1 ? `${processName(process)}: ${ownName(thread)}` : processName(process);
}

const sumOf = (parts, of) => parts.reduce((sum, i) => sum + (of(profile.threads[i]) || 0), 0);

// Whose parts can be selected: programs of several processes, and processes.
function processChoices() {
	return programs.flatMap((program) => {
		const n = program.processes.reduce((sum, process) => sum + process.n, 0);
		const parts = program.processes.flatMap((process) => process.parts);
		const inner = program.processes.map((process) => ({ key: processName(process), parts: process.parts,
			label: `${n > 1 ? "\u2003" : ""}${processName(process)}`, tip: process.command }));

		return program.processes.length > 1
			? [{ key: program.name, parts, label: `${program.name}, ${plural(n, "process", "processes")}` }, ...inner]
			: inner;
	});
}

const choiceOf = (choices, key) => choices.find((choice) => choice.key === key);

const allParts = () => [...profile.threads.keys()];

// The threads of all processes, if there is one, or of the selected one.
function threadChoices() {
	const process = choiceOf(processChoices(), selected.process);
	const parts = process ? process.parts : processes.length > 0 ? [] : allParts();
	const isOne = new Set(parts.map((i) => profile.threads[i].process)).size === 1;
	const names = parts.map((i) => profile.threads[i].name);

	return !isOne || parts.length < 2 ? [] : parts.map((i, at) => ({
		key: names[at] && names.indexOf(names[at]) === names.lastIndexOf(names[at]) ? names[at]
			: ownName(profile.threads[i]),
		parts: [i], label: ownName(profile.threads[i]),
	}));
}

const chosenThread = () => choiceOf(threadChoices(), selected.thread);
const chosenProcess = () => choiceOf(processChoices(), selected.process);
const chosenParts = () => (chosenThread() || chosenProcess() || { parts: allParts() }).parts;

// Calls take(frame, ticks, waiting) for the paths of a part: frames are written as differences to those before.
function eachPath(flat, take) {
	const each = waiting ? 3 : 2;
	let frame = 0;

	for (let i = 0; i < flat.length; i += each) {
		frame += flat[i];
		take(frame, flat[i + 1], each === 3 ? flat[i + 2] : 0);
	}
}

// The paths of parts of the run, in a range of it if one is picked, and their ticks.
function partTree(parts, picked) {
	const nodes = allPaths.map(({ f }) => newNode(f));
	let sum = 0;
	const add = (frame, amount, wait) => {
		nodes[frame + 1].self += amount;
		nodes[frame + 1].wait += wait;
		sum += amount;
	};

	allPaths.forEach((frame, i) => {
		if (frame.parent)
			nodes[frame.parent.id].inner.set(frame.f, nodes[i]);
	});
	for (const i of parts) {
		if (picked)
			eachWhen(when.rows[i], picked, add);
		else
			eachPath(profile.threads[i].paths, add);
	}
	return { root: nodes[0], ticks: sum };
}

// Converts ticks to times that include waiting, as in the paths of all threads; sums them, and drops nodes without any.
function sumTree(node) {
	node.self = node.self * profile.perTick + node.wait;
	node.total = node.self;
	node.waiting = node.wait;
	for (const [f, inner] of node.inner) {
		sumTree(inner);
		node.total += inner.total;
		node.waiting += inner.waiting;
		if (inner.total === 0)
			node.inner.delete(f);
	}
	return node;
}

function arcNumbers() {
	const { arc, n, to } = profile;

	return new Map(to.map((callee, i) => [arc.from[i] * n + callee, i]));
}

// Each path counts once for each function on it: for a function's callers, by the caller of its outermost frame, for
// its callees, by the callee of its innermost frame. Times are on the CPU; waiting is separate.
function measureTree(root) {
	const { n, all, to } = profile;
	const of = { self: all.map(() => 0), whole: all.map(() => 0), time: to.map(() => 0), up: to.map(() => 0),
		waiting: all.map(() => 0), arcs: new Set() };
	const number = arcNumbers();
	const path = [];
	const places = all.map(() => []);
	const add = (times, caller, callee, amount) => {
		const i = number.get(caller * n + callee);

		if (i !== undefined) {
			times[i] += amount;
			of.arcs.add(i);
		}
	};
	const walk = (node) => {
		const { f } = node;
		const total = node.total - node.waiting;
		const before = places[f].at(-1);
		const caller = path.at(-1);

		of.self[f] += node.self - node.wait;
		of.whole[f] += before === undefined ? total : 0;
		of.waiting[f] += before === undefined ? node.waiting : 0;
		path.push(f);
		if (caller !== undefined) {
			add(of.time, caller, f, total);
			add(of.up, caller, f, before === undefined ? total : 0);
		}
		if (before !== undefined)
			add(of.time, f, path[before + 1], -total);
		places[f].push(path.length - 1);
		node.inner.forEach(walk);
		places[f].pop();
		path.pop();
	};

	root.inner.forEach(walk);
	return of;
}

function partName(picked) {
	const thread = chosenThread();
	const process = chosenProcess();

	return [...process ? [process.key] : [], ...thread ? [thread.label] : [], ...picked ? [rangeText(picked)] : []]
		.join(", ");
}

function readPart(picked) {
	const part = partTree(profile.threads.length > 0 ? chosenParts() : [0], picked);
	const root = sumTree(part.root);
	const { arcs, ...of } = measureTree(root);

	graph.paths = layFrames(root, 0);
	return {
		...of, thread: { name: partName(picked), arcs, of: picked ? "the whole run" : "all threads" },
		total: root.total - root.waiting, ticks: part.ticks,
		waiting: waiting && of.waiting, totalWaiting: waiting && root.waiting,
		samples: of.self.map((x) => Math.round(x / profile.perTick)),
		below: of.whole.map((x, f) => x - of.self[f]), lineTime: new Map(),
	};
}

// What is chosen for all views, as addresses have it.
function partParameters() {
	const parameters = new URLSearchParams();

	for (const [key, value] of Object.entries(selected)) {
		if (value !== "")
			parameters.set(key, value);
	}
	if (when.picked) {
		parameters.set("from", exactSecond(when.picked[0]));
		parameters.set("to", exactSecond(when.picked[1]));
	}
	return parameters;
}

function tellChoice({ label, parts }) {
	const part = ticks > 0 ? sumOf(parts, (thread) => thread.ticks) / ticks * 100 : 0;

	return `${label}: ${percent(part)}${waiting ? `, ${spell(sumOf(parts, (thread) => thread.waits))} waiting` : ""}`;
}

function fillChooser(id, all, choices, key) {
	byId(id).replaceChildren(make("option", { value: "" }, all),
		...choices.map((choice, i) => make("option", { value: i, title: choice.tip }, tellChoice(choice))));
	byId(id).value = key === "" ? "" : choices.findIndex((choice) => choice.key === key);
}

// A choice that is not there, as of an address of another profile, is that of all.
function showChoosers() {
	const processKeys = processChoices();

	if (!choiceOf(processKeys, selected.process))
		selected.process = "";
	const threadKeys = threadChoices();
	const n = processes.reduce((sum, process) => sum + process.n, 0);

	if (!choiceOf(threadKeys, selected.thread))
		selected.thread = "";
	byId("processes").hidden = processes.length === 0;
	byId("threads").hidden = threadKeys.length === 0;
	fillChooser("process", `All ${integer(n)} processes`, processKeys, selected.process);
	fillChooser("thread", processes.length > 0 ? "All threads of it" : `All ${integer(profile.nthreads || 0)} threads`,
		threadKeys, selected.thread);
}

// The times of what is selected. The views must be made again for it.
function applyPart() {
	showChoosers();
	graph.paths = allPaths;
	Object.assign(profile, allThreads);
	if (selected.process !== "" || selected.thread !== "" || when.picked)
		Object.assign(profile, readPart(when.picked));
	graph.trees.clear();
	byId("about").replaceChildren();
	showTotals();
	drawObjects();
	refresh();
	if (profile.when)
		showWhen();
}

function choosePart() {
	applyPart();
	remember(location.hash || "#/summary");
	route();
}

// Chooses what parameters say.
function readPartParameters(parameters) {
	if (parameters.toString() === partParameters().toString())
		return;
	selected.process = parameters.get("process") || "";
	selected.thread = parameters.get("thread") || "";
	when.picked = profile.when && (parameters.has("from") || parameters.has("to"))
		? rangeOf(parameters.get("from"), parameters.get("to")) : null;
	applyPart();
}

function startThreads() {
	readProcesses();
	showChoosers();
	for (const [key, choices] of [["process", processChoices], ["thread", threadChoices]]) {
		byId(key).addEventListener("change", () => {
			const { value } = byId(key);

			selected[key] = value === "" ? "" : choices()[value].key;
			choosePart();
			byId(key).focus();
		});
	}
}
