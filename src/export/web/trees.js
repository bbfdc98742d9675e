// SPDX-License-Identifier: GPL-3.0-or-later
// The frames of flame graphs: those of the data, and those computed from them or from arcs.

// Adjacent frames narrower than this part of the whole are joined.
const SMALLEST = 1 / 4000;

const newNode = (f) => ({ f, total: 0, waiting: 0, self: 0, wait: 0, count: 1, inner: new Map() });

// Adds a time to the child for f of a node; a child that joins frames sums their counts.
function addNode(node, f, total, count = 1, waiting = 0) {
	const inner = node.inner.get(f);
	const found = inner || newNode(f);

	node.inner.set(f, found);
	found.total += total;
	found.waiting += waiting;
	found.count = inner ? inner.count + count : count;
	return found;
}

// The frames of nested nodes in depth-first order, widest child first.
function layFrames(root, least = root.total * SMALLEST) {
	const frames = [];
	const add = (node, parent, at) => {
		const frame = {
			id: frames.length, f: node.f, depth: parent ? parent.depth + 1 : -1, total: node.total,
			waiting: node.waiting, wait: node.wait, self: node.self, count: node.f === -2 ? node.count : 1, parent, at,
		};

		frames.push(frame);
		return frame;
	};
	const lay = (node, parent, at) => {
		const frame = add(node, parent, at);
		const small = newNode(-2);

		small.count = 0;
		for (const inner of Array.from(node.inner.values()).sort((a, b) => b.total - a.total)) {
			if (inner.total >= least && inner.f !== -2) {
				lay(inner, frame, at);
				at += inner.total;
			} else {
				small.total += inner.total;
				small.waiting += inner.waiting;
				small.count += inner.f === -2 ? inner.count : 1;
			}
		}
		if (small.total > 0)
			add(small, frame, at);
	};

	lay(root, null, 0);
	return frames;
}

// The frames of the data: callers below callees.
function pathFrames() {
	const whole = {
		id: 0, f: -3, depth: -1, total: profile.allTime, waiting: profile.totalWaiting || 0, wait: 0, self: 0, count: 1,
		parent: null, at: 0,
	};
	const frames = [whole, ...profile.frames];

	frames.forEach((frame, i) => {
		frame.id = i;
		frame.parent = frame === whole ? null : frame.parent || whole;
	});
	return frames;
}

// Inverted: from functions with self time to their callers, and so on.
function invertedFrames(frames) {
	const root = newNode(-3);

	for (const frame of frames) {
		let node = root;

		if (frame.id === 0 || frame.self === 0)
			continue;
		root.total += frame.self;
		root.waiting += frame.wait;
		for (let at = frame; at.id !== 0; at = at.parent)
			node = addNode(node, at.f, frame.self, at.count, frame.wait);
	}
	return layFrames(root);
}

// Arcs as they were recorded: each with its caller only or, if inverted, with its callee only.
function callFrames(inverted) {
	const root = newNode(-3);
	const { arc, calls, to } = profile;

	to.forEach((callee, i) => {
		const [first, second] = inverted ? [callee, arc.from[i]] : [arc.from[i], callee];

		root.total += calls[i];
		addNode(addNode(root, first, calls[i]), second, calls[i]);
	});
	return layFrames(root);
}

// The frames from one up to the first of the function; nothing if there is none.
function pathTo(frame, f) {
	const path = [];

	for (let at = frame; at; at = at.parent) {
		if (at.f === f)
			return path;
		path.push(at);
	}
	return null;
}

// All callers of a function, or all its callees, from all paths that it is on. Each path counts once: with the callers
// of the function's outermost frame, and the callees of its innermost frame.
function mergedFrames(frames, f, callers) {
	const root = newNode(f);

	for (const frame of frames) {
		const isOutermost = callers && frame.f === f && !pathTo(frame.parent, f);
		const path = isOutermost ? pathTo(frame.parent, -3)
			: !callers && frame.self > 0 ? pathTo(frame, f) : null;
		const amount = callers ? frame.total : frame.self;
		const waiting = callers ? frame.waiting : frame.wait;

		if (!path)
			continue;
		root.total += amount;
		root.waiting += waiting;
		(callers ? path : path.reverse()).reduce((node, at) => addNode(node, at.f, amount, at.count, waiting), root);
	}
	return layFrames(root);
}
