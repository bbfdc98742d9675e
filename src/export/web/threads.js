// SPDX-License-Identifier: GPL-3.0-or-later
// The selection of a thread, or of a range of the run: its paths, and the times of functions and calls from them.

// The data of all threads together.
const { self, samples, below, whole, time, up, total, ticks, lineTime, waiting, totalWaiting } = profile;
const allThreads = {
	thread: null, self, samples, below, whole, time, up, total, ticks, lineTime, waiting, totalWaiting,
};
const allPaths = graph.paths;

const nothers = () => profile.nthreads - profile.threads.length;
const threadName = ({ name, tid }) => (tid === undefined ? name : `${name || "thread"} (TID ${tid})`);

// The tree of nodes in depth-first order, three numbers each: function, depth, ticks; with waiting, four.
function nestNodes(flat) {
	const root = newNode(-3);
	const open = [root];

	for (let i = 0; i < flat.length; i += waiting ? 4 : 3) {
		const node = newNode(flat[i]);

		node.self = flat[i + 2];
		node.wait = waiting ? flat[i + 3] : 0;
		open[flat[i + 1]].inner.set(node.f, node);
		open[flat[i + 1] + 1] = node;
	}
	return root;
}

function subtractTree(tree, part) {
	tree.self -= part.self;
	tree.wait -= part.wait;
	part.inner.forEach((inner, f) => subtractTree(tree.inner.get(f), inner));
}

// The paths of all threads less those of the threads that can be selected.
function otherTree() {
	const flat = allPaths.flatMap((frame) =>
		(frame.depth < 0 ? [] : [frame.f, frame.depth, Math.round((frame.self - frame.wait) / profile.perTick),
			...waiting ? [frame.wait] : []]));
	const tree = nestNodes(flat);

	for (const thread of profile.threads)
		subtractTree(tree, nestNodes(thread.nodes));
	return tree;
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

// What is known of a part: its paths, their ticks, and what messages call it.
function partOf(thread, picked) {
	if (!picked)
		return { ticks: thread.ticks, name: threadName(thread),
			root: thread.nodes ? nestNodes(thread.nodes) : otherTree() };
	const rows = thread ? [threadChoices().indexOf(thread)] : when.rows.keys();

	return { ...whenTree(rows, picked), name: `${thread ? `${threadName(thread)}, ` : ""}${rangeText(picked)}` };
}

function readPart(thread, picked) {
	const part = partOf(thread, picked);
	const root = sumTree(part.root);
	const { arcs, ...of } = measureTree(root);

	graph.paths = layFrames(root, 0);
	return {
		...of, thread: { name: part.name, arcs, of: picked ? "the whole run" : "all threads" },
		total: root.total - root.waiting, ticks: part.ticks,
		waiting: waiting && of.waiting, totalWaiting: waiting && root.waiting,
		samples: of.self.map((x) => Math.round(x / profile.perTick)),
		below: of.whole.map((x, f) => x - of.self[f]), lineTime: new Map(),
	};
}

// The threads that can be selected, with the others as one.
function threadChoices() {
	const { threads } = profile;
	const rest = (all, of) => threads.reduce((left, thread) => left - of(thread), all);

	if (threads.length === 0 || nothers() === 0)
		return threads;
	profile.others = profile.others || { name: plural(nothers(), "other thread"),
		ticks: rest(ticks, (thread) => thread.ticks), waits: rest(totalWaiting, (thread) => thread.waits) };
	return [...threads, profile.others];
}

// The views must be made again for the selected thread and range.
function choosePart() {
	const thread = threadChoices()[byId("thread").value];

	graph.paths = allPaths;
	Object.assign(profile, allThreads);
	if (thread || when.picked)
		Object.assign(profile, readPart(thread, when.picked));
	graph.trees.clear();
	byId("about").replaceChildren();
	if (!byId("graph").hidden)
		history.replaceState(null, "", graphAddress(0));
	else
		place.outside = place.outside.replace(/^#\/graph\/\d+/, "#/graph");
	showTotals();
	drawObjects();
	refresh();
	route();
	if (profile.when)
		showWhen();
}

function startThreads() {
	const select = byId("thread");
	const choices = threadChoices();
	const tell = (thread) => `${threadName(thread)}: ${percent(ticks > 0 ? thread.ticks / ticks * 100 : 0)}` +
		(waiting ? `, ${spell(thread.waits)} waiting` : "");

	if (choices.length === 0)
		return;
	byId("threads").hidden = false;
	select.append(make("option", { value: "" }, `All ${integer(profile.nthreads)} threads`),
		...choices.map((thread, i) => make("option", { value: i }, tell(thread))));
	select.addEventListener("change", () => {
		choosePart();
		select.focus();
	});
}
