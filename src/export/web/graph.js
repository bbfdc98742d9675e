// SPDX-License-Identifier: GPL-3.0-or-later
// The flame graph. Only frames that are wide enough to be seen have elements.

const FRAME = 20;
const FRAME_CHARACTER = 6.93;
const COLOURS = 12;
const WAITING_COLOURS = 4;

const graph = {
	trees: new Map(), frames: pathFrames(),
	zoom: 0, on: 0, query: "", icicle: true, byCalls: !profile.sampled, inverted: false, byObject: false,
	shape: { hide: false, merge: false, focus: null, level: "functions" },
	box: byId("frames"),
};

graph.paths = graph.frames;

// Each tree is made when it is first shown.
function chooseTree() {
	const key = JSON.stringify([graph.byCalls, graph.inverted, graph.shape]);
	const paths = () => shapePaths(graph.paths, graph.shape);

	if (!graph.trees.has(key))
		graph.trees.set(key, graph.byCalls ? callFrames(graph.inverted)
			: graph.inverted ? invertedFrames(paths()) : paths());
	graph.frames = graph.trees.get(key);
}

// The same colours as in the exported SVG: a name has one colour everywhere.
function colourOf(name) {
	let hash = 2166136261;

	for (const byte of new TextEncoder().encode(name))
		hash = Math.imul(hash ^ byte, 16777619);
	return ((hash ^ (hash >>> 16)) >>> 0) % COLOURS;
}

// A frame may have the number of a cycle instead of a function; its inside is unknown.
const isCycle = (f) => f <= -10 && f > FIRST_PROGRAM;
const cycleOf = (f) => -10 - f;
const frameOfCycle = (cycle) => -10 - cycle;

const hatch = "repeating-linear-gradient(45deg, var(--rest) 0 5px, transparent 5px 8px)";

function frameName({ f, count }) {
	if (f >= 0)
		return profile.name[f];
	if (isProcessFrame(f))
		return processFrameName(f);
	if (isCycle(f))
		return `cycle ${cycleOf(f)} of ${plural(membersOf(cycleOf(f)).length, "function")}`;
	return f === -3 ? "all" : f === -1 ? "[not followed]" : `[${count} smaller]`;
}

// A frame that waited for most of its time has a colour of another family.
function frameColour({ f, waiting, total }) {
	if (isCycle(f))
		return hatch;
	if (isProcessFrame(f))
		return "var(--rest)";
	if (graph.byObject && f >= 0)
		return objectColour(profile.object[f]);
	if (f !== -1 && f !== -2 && waiting > total / 2)
		return `var(--w${f >= 0 ? colourOf(profile.name[f]) % WAITING_COLOURS : 0})`;
	return f >= 0 ? `var(--c${colourOf(profile.name[f])})` : f === -3 ? "var(--c0)" : "var(--rest)";
}

// In a narrow frame, the beginning of a short name says more than its two ends.
function frameLabel(frame, pixels) {
	const room = Math.floor((pixels - 12) / FRAME_CHARACTER);

	if (frame.f < 0)
		return cutText(frameName(frame), Math.max(room, 20));
	return room < 12 ? (profile.brief[frame.f] || plainName(frame.f)).slice(0, 20) : briefName(frame.f, room);
}

const frameShare = (total) => (graph.frames[0].total > 0 ? total / graph.frames[0].total * 100 : 0);

// The share of all time, with waiting if the picture includes it.
const timeShare = (total) => (graph.paths[0].total > 0 ? total / graph.paths[0].total * 100 : 0);

function frameDetail(frame) {
	if (graph.byCalls)
		return `${plural(frame.total, "call")} (${percent(frameShare(frame.total), 2)})`;
	if (isCycle(frame.f))
		return `${estimated()}${spell(frame.total)} (${estimated()}${percent(share(frame.total), 2)}), ` +
			`${spell(frame.self)} in its members: who calls whom is not known`;
	const mark = estimated(frame.id !== 0);
	const own = frame.self > 0 && frame.self !== frame.total ? `, ${mark}${spell(frame.self)} of its own` : "";
	const waiting = frame.waiting > 0 ? `, ${spell(frame.waiting)} waiting` : "";

	return `${mark}${spell(frame.total)} (${mark}${percent(timeShare(frame.total), 2)})${own}${waiting}`;
}

function isInside(frame, other) {
	for (; frame; frame = frame.parent) {
		if (frame === other)
			return true;
	}
	return false;
}

// The position of a frame as fractions of the width; undefined if it is not shown.
function placeFrame(frame, zoom, above) {
	if (above.has(frame))
		return { left: 0, width: 1 };
	if (frame.at < zoom.at || frame.at + frame.total > zoom.at + zoom.total || frame.depth < zoom.depth)
		return null;
	return { left: (frame.at - zoom.at) / zoom.total, width: frame.total / zoom.total };
}

// Whether a text has another one, not just the beginning of one of its words.
function hasWords(words, label) {
	const at = words.indexOf(label);

	return at >= 0 && !(/\w$/.test(label) && /^\w/.test(words.slice(at + label.length)));
}

function makeFrame(frame, place, rows, pixels) {
	const row = frame.depth + 1;
	const wide = place.width * pixels;
	const label = wide < 24 ? "" : frameLabel(frame, wide);
	const words = `${frameName(frame)}, ${frameDetail(frame)}`;
	const kinds = { thin: wide < 24, on: frame.id === graph.on, inlined: isInlined(frame.f) };
	const element = make("div", {
		class: ["frame", ...Object.keys(kinds).filter((kind) => kinds[kind])].join(" "),
		id: `frame-${frame.id}`, role: "treeitem", "aria-level": row + 1, "aria-selected": "false",
		"aria-label": hasWords(words, label) ? words : `${words}, shown as ${label}`,
		title: `${frameName(frame)}\n${frameDetail(frame)}`,
	}, label);

	element.style.left = place.left * 100 + "%";
	element.style.width = place.width * 100 + "%";
	element.style.top = (graph.icicle ? row : rows - 1 - row) * FRAME + "px";
	element.style.background = frameColour(frame);
	element.dataset.frame = frame.id;
	return element;
}

function drawGraph() {
	const zoom = graph.frames[graph.zoom];
	const pixels = graph.box.clientWidth || 1200;
	const above = new Set();
	let rows = 1;

	for (let frame = zoom.parent; frame; frame = frame.parent)
		above.add(frame);
	const placed = graph.frames.map((frame) => [frame, placeFrame(frame, zoom, above)])
		.filter(([, place]) => place && place.width * pixels >= 0.5);

	for (const [frame] of placed)
		rows = Math.max(rows, frame.depth + 2);
	const elements = placed.map(([frame, place]) => {
		const element = makeFrame(frame, place, rows, pixels);

		element.classList.toggle("above", above.has(frame));
		return element;
	});

	graph.box.style.height = rows * FRAME + "px";
	graph.box.replaceChildren(...elements);
	markFrames();
	selectFrame(graph.on);
}

function cardButton(id, words, action) {
	const button = make("button", { type: "button", class: "quiet", id }, words);

	button.addEventListener("click", action);
	return button;
}

// Figures come first and the name below, so that a long one does not move what can be clicked.
function tellFrame(frame) {
	const address = frameAddress(frame.f);
	const canFocus = frame.f >= 0 && !graph.byCalls && frame.f !== graph.shape.focus;

	byId("graph-detail").replaceChildren(
		make("p", { class: "figures" }, make("span", null, frameDetail(frame)),
			...address ? [make("a", { href: address }, "open")] : [],
			...canFocus ? [cardButton("frame-focus", "only its paths", () => focusOn(frame.f))] : [],
			cardButton("frame-copy", "copy", () => copyText(frameName(frame)))),
		make("p", { class: "name" }, make("b", null, frameName(frame))));
}

function selectFrame(id) {
	const before = graph.box.querySelector(".on");
	const element = byId(`frame-${id}`);

	if (before) {
		before.classList.remove("on");
		before.setAttribute("aria-selected", "false");
	}
	graph.on = id;
	graph.box.setAttribute("aria-activedescendant", `frame-${id}`);
	if (element) {
		element.classList.add("on");
		element.setAttribute("aria-selected", "true");
	}
	tellFrame(graph.frames[id]);
}

// Where a key has led to is brought into sight.
function revealFrame(id) {
	const element = byId(`frame-${id}`);

	if (element && document.activeElement === graph.box)
		element.scrollIntoView({ block: "nearest" });
}

// The frames whose name contains the text; frames above a matching one are not counted again.
function markFrames() {
	const match = searchOf(byId("graph-search"), byId("graph-found"));
	const found = match ? graph.frames.filter((frame) => frame.id > 0 && match(frameName(frame))) : [];
	const set = new Set(found);
	let sum = 0;

	for (const frame of found) {
		let below = frame.parent;

		while (below && !set.has(below))
			below = below.parent;
		sum += below ? 0 : frame.total;
	}
	for (const element of graph.box.children)
		element.classList.toggle("match", set.has(graph.frames[element.dataset.frame]));
	if (match !== undefined)
		byId("graph-found").textContent = match === null ? ""
			: `${plural(found.length, "frame")}, ${estimated(!graph.byCalls && sum > 0)}` +
				`${percent(frameShare(sum), 2)} of ` + (graph.byCalls ? "all calls" : `the ${measure}`);
}

const visible = (frame) => byId(`frame-${frame.id}`) !== null;
const childrenOf = (frame) => graph.frames.filter((other) => other.parent === frame && visible(other));

// Up and Down move between levels, Left and Right between the visible frames of a level.
function neighbourOf(frame, key) {
	const outwards = graph.icicle ? "ArrowDown" : "ArrowUp";
	const level = graph.frames.filter((other) => other.depth === frame.depth && visible(other));

	if (key === "ArrowLeft" || key === "ArrowRight")
		return level[level.indexOf(frame) + (key === "ArrowLeft" ? -1 : 1)];
	return key === outwards ? childrenOf(frame)[0] : frame.parent;
}

function pressInGraph(event) {
	const frame = graph.frames[graph.on];

	if (event.ctrlKey || event.altKey || event.metaKey)
		return;
	if (event.key.startsWith("Arrow")) {
		const to = neighbourOf(frame, event.key);

		if (to) {
			selectFrame(to.id);
			revealFrame(to.id);
		}
	} else if (event.key === "Enter" || event.key === " ") {
		zoomTo(graph.on);
	} else if (event.key === "Escape") {
		zoomTo(0);
	} else if (event.key === "f" && frameAddress(frame.f)) {
		location.hash = frameAddress(frame.f);
	} else if (event.key === "o" && frame.f >= 0 && !graph.byCalls) {
		focusOn(frame.f);
	} else if (event.key === "c") {
		copyText(frameName(frame));
	} else {
		return;
	}
	graph.box.classList.add("keys");
	event.preventDefault();
}
