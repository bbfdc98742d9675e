// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of a thread: its paths, and the times of functions and calls that follow from them.

// What the data have of all threads.
const { self, samples, below, whole, time, up, total, ticks, lineTime } = profile;
const allThreads = { thread: null, self, samples, below, whole, time, up, total, ticks, lineTime };
const allPaths = graph.paths;

const nothers = () => profile.nthreads - profile.threads.length;
const threadName = ({ name, tid }) => (tid === undefined ? name : `${name || "thread"} (TID ${tid})`);

// The tree of nodes of three numbers each, in depth-first order: function, depth, ticks.
function nestNodes(flat) {
	const root = newNode(-3);
	const open = [root];

	for (let i = 0; i < flat.length; i += 3) {
		const node = newNode(flat[i]);

		node.self = flat[i + 2];
		open[flat[i + 1]].inner.set(node.f, node);
		open[flat[i + 1] + 1] = node;
	}
	return root;
}

function subtractTree(tree, part) {
	tree.self -= part.self;
	part.inner.forEach((inner, f) => subtractTree(tree.inner.get(f), inner));
}

// Of all paths what the threads with a choice of their own leave.
function otherTree() {
	const flat = allPaths.flatMap((frame) =>
		(frame.depth < 0 ? [] : [frame.f, frame.depth, Math.round((frame.self - frame.wait) / profile.perTick)]));
	const tree = nestNodes(flat);

	for (const thread of profile.threads)
		subtractTree(tree, nestNodes(thread.nodes));
	return tree;
}

// From ticks to times; adds up, and drops what has none.
function sumTree(node) {
	node.self *= profile.perTick;
	node.total = node.self;
	for (const [f, inner] of node.inner) {
		sumTree(inner);
		node.total += inner.total;
		if (inner.total === 0)
			node.inner.delete(f);
	}
	return node;
}

function arcNumbers() {
	const { arc, n, to } = profile;

	return new Map(to.map((callee, i) => [arc.from[i] * n + callee, i]));
}

// Each path counts once for each function on it; for a function's callers, by who called its outermost, for its
// callees, by what its innermost called.
function measureTree(root) {
	const { n, all, to } = profile;
	const of = { self: all.map(() => 0), whole: all.map(() => 0), time: to.map(() => 0), up: to.map(() => 0),
		arcs: new Set() };
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
		const { f, total } = node;
		const before = places[f].at(-1);
		const caller = path.at(-1);

		of.self[f] += node.self;
		of.whole[f] += before === undefined ? total : 0;
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

function readThread(thread) {
	const root = sumTree(thread.nodes ? nestNodes(thread.nodes) : otherTree());
	const { arcs, ...of } = measureTree(root);

	graph.paths = layFrames(root, 0);
	return {
		...of, thread: { ...thread, arcs }, total: root.total, ticks: thread.ticks,
		samples: of.self.map((x) => Math.round(x / profile.perTick)),
		below: of.whole.map((x, f) => x - of.self[f]), lineTime: new Map(),
	};
}

// Each view has what it shows of the threads before.
function chooseThread(thread) {
	graph.paths = allPaths;
	Object.assign(profile, thread ? readThread(thread) : allThreads);
	graph.trees.clear();
	table.most = greatest();
	byId("about").replaceChildren();
	if (!byId("graph").hidden)
		history.replaceState(null, "", graphAddress(0));
	else
		place.outside = place.outside.replace(/^#\/graph\/\d+/, "#/graph");
	showTotals();
	drawObjects();
	refresh();
	route();
	byId("thread").focus();
}

function startThreads() {
	const select = byId("thread");
	const choices = profile.threads.slice();
	const chosenTicks = choices.reduce((sum, thread) => sum + thread.ticks, 0);
	const tell = (thread) => `${threadName(thread)}: ${percent(thread.ticks / ticks * 100)}`;

	if (choices.length === 0)
		return;
	if (nothers() > 0)
		choices.push({ name: plural(nothers(), "other thread"), ticks: ticks - chosenTicks });
	byId("threads").hidden = false;
	select.append(make("option", { value: "" }, `All ${integer(profile.nthreads)} threads`),
		...choices.map((thread, i) => make("option", { value: i }, tell(thread))));
	select.addEventListener("change", () => chooseThread(choices[select.value]));
}
