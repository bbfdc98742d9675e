// SPDX-License-Identifier: GPL-3.0-or-later
// All callers of one function above it and all that it calls below it, each merged over all paths.

function sandwichFrame(frame, whole, rows, upwards) {
	const width = frame.total / whole.total;
	const row = frame.depth + 1;
	const detail = `${estimated()}${spell(frame.total)} (${estimated()}${percent(timeShare(frame.total), 2)})`;
	const to = frameAddress(frame.f);
	const element = make(to ? "a" : "div", {
		class: isInlined(frame.f) ? "frame inlined" : "frame",
		title: `${frameName(frame)}\n${detail}`, tabindex: -1, href: to,
	}, frameLabel(frame, width * (byId("content").clientWidth - 90)));

	element.style.left = frame.at / whole.total * 100 + "%";
	element.style.width = width * 100 + "%";
	element.style.top = (upwards ? rows - 1 - row : row) * FRAME + "px";
	element.style.background = frameColour(frame);
	return element;
}

// One of the frames can be reached by Tab; arrow keys move to the others.
function moveInSandwich(event) {
	const links = Array.from(event.currentTarget.querySelectorAll("a.frame"));
	const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
	const to = links[links.indexOf(document.activeElement) + step];

	if (!step)
		return;
	event.preventDefault();
	event.stopPropagation();
	if (to) {
		document.activeElement.tabIndex = -1;
		to.tabIndex = 0;
		to.focus();
	}
}

// One half of the picture, without the function itself if the other half has it.
function sandwichHalf(frames, upwards, label) {
	const least = frames[0].total / 500;
	const first = upwards ? 1 : 0;
	const shown = frames.slice(first).filter((frame) => frame.total >= least);
	const rows = shown.reduce((n, frame) => Math.max(n, frame.depth + 2 - first), 0);
	const box = make("div", { class: "frames", role: "group", "aria-label": label },
		...shown.map((frame) => sandwichFrame({ ...frame, depth: frame.depth - first }, frames[0], rows, upwards)));

	box.style.height = rows * FRAME + "px";
	box.querySelectorAll("a.frame").forEach((anchor, i) => {
		anchor.tabIndex = i === 0 ? 0 : -1;
	});
	box.addEventListener("keydown", moveInSandwich);
	return box;
}

// For a member of a cycle, the tree of its cycle. Nothing if the function is on no path that is wide enough, or is
// alone on its paths.
function sandwichOf(f) {
	const shown = profile.cycle[f] ? frameOfCycle(profile.cycle[f]) : f;
	const callers = mergedFrames(graph.paths, shown, true);
	const callees = mergedFrames(graph.paths, shown, false);

	if (callers[0].total === 0 || callers.length + callees.length === 2)
		return null;
	return make("div", { class: "sheet sandwich" },
		make("h3", null, "On all paths: callers above, callees below ",
			profile.estimated ? make("span", { class: "mark" }, "estimated from call counts") : null),
		sandwichHalf(callers, true, "Callers"), sandwichHalf(callees, false, "Callees"));
}
