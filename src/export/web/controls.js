// SPDX-License-Identifier: GPL-3.0-or-later
// What can be chosen above the flame graph, and its address.

function zoomTo(id) {
	location.hash = graphAddress(id);
}

const usualLevel = () => (programs.length > 1 ? "programs" : "functions");

// The names on the path to a frame, the outermost first.
function namesTo(frame) {
	return frame.parent ? [...namesTo(frame.parent), frameName(frame)] : [];
}

// The frame at the end of that path or, if it is not there, of as much of it as is.
function frameAt(names) {
	let at = graph.frames[0];

	for (const name of names) {
		const next = graph.frames.find((frame) => frame.parent === at && frameName(frame) === name);

		if (!next)
			break;
		at = next;
	}
	return at;
}

// The address of what is shown.
function graphAddress(id) {
	const { hide, merge, focus, level } = graph.shape;
	const state = new URLSearchParams();
	const set = (is, key, value) => is && state.set(key, value);

	set(graph.byCalls && profile.sampled, "by", "calls");
	set(graph.inverted, "inverted", 1);
	set(!graph.icicle, "flame", 1);
	set(level !== usualLevel(), "level", level);
	set(hide, "hide", "libraries");
	set(merge, "merge", "recursion");
	set(focus !== null, "focus", profile.name[focus]);
	set(graph.byObject, "colour", "object");
	set(graph.query !== "", "q", graph.query);
	for (const name of namesTo(graph.frames[id]))
		state.append("at", name);
	return joinAddress("#/graph", state);
}

function readGraphState(parameters) {
	const levels = ["functions", ...programs.length > 0 ? ["programs", "processes"] : []];
	const level = parameters.get("level");
	const focus = parameters.has("focus") ? profile.name.indexOf(parameters.get("focus")) : -1;

	graph.byCalls = !profile.sampled || parameters.get("by") === "calls";
	graph.inverted = parameters.has("inverted");
	graph.icicle = !parameters.has("flame");
	graph.byObject = Boolean(profile.object) && parameters.get("colour") === "object";
	graph.query = parameters.get("q") || "";
	graph.shape = { hide: Boolean(profile.object) && parameters.has("hide"), merge: parameters.has("merge"),
		focus: focus < 0 ? null : focus, level: levels.includes(level) ? level : usualLevel() };
}

// The direction of drawing, and colours, add no entry to the history.
function turn(change) {
	Object.assign(graph, change);
	remember(graphAddress(graph.zoom));
	place.outside = withoutPart(location.hash);
	showButtons();
	drawGraph();
}

// Shows other paths, not zoomed.
function reshape(change) {
	switchGraph({ shape: { ...graph.shape, ...change } });
}

function focusOn(f) {
	reshape({ focus: f });
}

// The objects in the picture, by time, with their colours.
function drawLegend() {
	const shown = new Set(graph.frames.filter(({ f }) => f >= 0).map(({ f }) => profile.object[f]));
	const keys = objectsByTime().filter(({ number }) => shown.has(number)).map(({ number, name }) => {
		const key = make("i", { class: "key" });

		key.style.background = objectColour(number);
		return make("span", null, key, name);
	});

	byId("graph-objects").replaceChildren(...keys);
}

// What shapes the paths; it has no meaning for calls, which have none.
function showShape() {
	const { hide, merge, focus, level } = graph.shape;
	const pressed = { hide, merge, "by-object": graph.byObject, functions: level === "functions",
		programs: level === "programs", processes: level === "processes" };

	for (const [id, is] of Object.entries(pressed)) {
		byId(`graph-${id}`).setAttribute("aria-pressed", is);
		byId(`graph-${id}`).disabled = graph.byCalls;
	}
	byId("graph-hide").hidden = byId("graph-by-object").hidden = !profile.object;
	byId("graph-levels").hidden = programs.length === 0;
	byId("graph-focus").hidden = focus === null || graph.byCalls;
	byId("graph-focus").textContent = focus === null ? "Show all paths"
		: `Only paths of ${briefName(focus, 40)}: show all`;
	byId("graph-objects").hidden = !graph.byObject || graph.byCalls;
	if (!byId("graph-objects").hidden)
		drawLegend();
}

function showButtons() {
	const { byCalls, inverted, icicle } = graph;
	const pressed = { "graph-time": !byCalls, "graph-calls": byCalls, "graph-callers": !inverted,
		"graph-inverted": inverted, icicle, flame: !icicle };

	for (const [id, is] of Object.entries(pressed))
		byId(id).setAttribute("aria-pressed", is);
	showShape();
	byId("graph-mark").hidden = !profile.estimated || byCalls;
	byId("graph-help").textContent = byCalls
		? `Widths are calls${ofAll(" of ")}, each with its caller alone, as recorded.`
		: inverted ? `Widths are own ${measure}; further out are those who called.`
			: `Widths are ${measure}, with all that is called.`;
	byId("graph-legend").hidden = !profile.waiting || byCalls || graph.byObject;
	byId("graph-inlined").hidden = !profile.all.some(isInlined);
}

// Shows another tree, not zoomed.
function switchGraph(change) {
	Object.assign(graph, change);
	zoomTo(0);
}

function showGraph(parameters) {
	readGraphState(parameters);
	chooseTree();
	if (graph.frames[0].total === 0) {
		byId("graph").replaceChildren(make("p", { class: "muted" },
			"There are neither samples nor calls, so there is nothing to show."));
		return;
	}
	graph.zoom = frameAt(parameters.getAll("at")).id;
	graph.on = graph.zoom;
	byId("graph-search").value = graph.query;
	showButtons();
	drawGraph();
	revealFrame(graph.on);
	graph.box.focus({ preventScroll: true });
}

function startShape() {
	byId("graph-hide").addEventListener("click", () => reshape({ hide: !graph.shape.hide }));
	byId("graph-merge").addEventListener("click", () => reshape({ merge: !graph.shape.merge }));
	byId("graph-focus").addEventListener("click", () => reshape({ focus: null }));
	byId("graph-by-object").addEventListener("click", () => turn({ byObject: !graph.byObject }));
	for (const level of ["functions", "programs", "processes"])
		byId(`graph-${level}`).addEventListener("click", () => reshape({ level }));
}

function startGraph() {
	const search = byId("graph-search");
	const frameOf = (event) => event.target.closest(".frame");

	byId("graph-time").disabled = !profile.sampled;
	byId("graph-time").textContent = Measure;
	byId("graph-calls").disabled = !profile.counted;
	byId("graph-time").addEventListener("click", () => switchGraph({ byCalls: false }));
	byId("graph-calls").addEventListener("click", () => switchGraph({ byCalls: true }));
	byId("graph-callers").addEventListener("click", () => switchGraph({ inverted: false }));
	byId("graph-inverted").addEventListener("click", () => switchGraph({ inverted: true }));
	byId("flame").addEventListener("click", () => turn({ icicle: false }));
	byId("icicle").addEventListener("click", () => turn({ icicle: true }));
	startShape();
	graph.box.addEventListener("click", (event) => {
		if (frameOf(event))
			zoomTo(Number(frameOf(event).dataset.frame));
	});
	graph.box.addEventListener("mousemove", (event) => {
		graph.box.classList.remove("keys");
		if (frameOf(event))
			tellFrame(graph.frames[frameOf(event).dataset.frame]);
	});
	graph.box.addEventListener("mouseleave", () => tellFrame(graph.frames[graph.on]));
	graph.box.addEventListener("keydown", pressInGraph);
	search.addEventListener("input", () => {
		graph.query = search.value;
		remember(graphAddress(graph.zoom));
		place.outside = withoutPart(location.hash);
		markFrames();
	});
	window.addEventListener("resize", () => {
		if (!byId("graph").hidden && graph.frames[0].total > 0)
			drawGraph();
	});
}
