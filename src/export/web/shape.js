// SPDX-License-Identifier: GPL-3.0-or-later
// What a reader makes of the paths before they are drawn: processes below them, without libraries, recursion merged,
// only those through a function.

// Programs and processes have numbers beyond those of cycles.
const FIRST_PROGRAM = -1000000;
const FIRST_PROCESS = -2000000;

const isProcessFrame = (f) => f <= FIRST_PROGRAM;

function processFrameName(f) {
	return f <= FIRST_PROCESS ? processName(processes[FIRST_PROCESS - f]) : programs[FIRST_PROGRAM - f].name;
}

// Code in shared objects, in the kernel's, and in what is known as a whole only.
const isLibrary = (f) => Boolean(profile.object) && /\.so($|\.)|^\[/.test(profile.objects[profile.object[f]]);

const addSelf = (node, frame) => {
	node.self += frame.self;
	node.wait += frame.wait;
};

// Adds up a tree's times, which have the waiting; each node's own times are there.
function totalTree(node) {
	node.total = node.self;
	node.waiting = node.wait;
	node.inner.forEach((inner) => {
		totalTree(inner);
		node.total += inner.total;
		node.waiting += inner.waiting;
	});
	return node;
}

// The child for f of a node, or the node itself if that is to have what is below.
function shapeStep(above, frame, { hide, merge }) {
	const { f } = frame;
	const within = (node) => (node && node.f !== f ? within(node.above) : node);

	if (hide && f >= 0 && isLibrary(f) && frame.wait === 0)
		return above;
	const same = merge && f >= 0 ? within(above) : null;
	const node = same || addNode(above, f, 0, frame.count);

	node.above = node.above || above;
	return node;
}

// The tree of frames as they are wanted, below `root`; outside of the focus there is nothing.
function shapeTree(frames, root, shape) {
	const nodes = new Array(frames.length).fill(null);

	frames.forEach((frame, i) => {
		if (i === 0) {
			nodes[0] = shape.focus === null ? root : null;
			return;
		}
		const above = nodes[frame.parent.id] || (frame.f === shape.focus ? root : null);

		if (!above)
			return;
		nodes[i] = shapeStep(above, frame, shape);
		addSelf(nodes[i], frame);
	});
	return root;
}

// The frames of each chosen part of the run, below its program and process.
function shapeProcesses(root, shape) {
	for (const i of chosenParts()) {
		const part = processes[profile.threads[i].process];
		const program = addNode(root, FIRST_PROGRAM - programs.indexOf(part.of), 0);
		const process = shape.level === "processes"
			? addNode(program, FIRST_PROCESS - processes.indexOf(part), 0) : program;

		shapeTree(layFrames(sumTree(partTree([i], when.picked).root), 0), process, shape);
	}
	return root;
}

const isShaped = ({ hide, merge, focus, level }) => hide || merge || focus !== null || level !== "functions";

// The paths in the shape; these themselves if nothing is wanted.
function shapePaths(frames, shape) {
	const root = newNode(-3);

	if (!isShaped(shape))
		return frames;
	if (shape.level === "functions")
		shapeTree(frames, root, shape);
	else
		shapeProcesses(root, shape);
	return layFrames(totalTree(root), 0);
}
