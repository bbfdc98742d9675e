// SPDX-License-Identifier: GPL-3.0-or-later
// Zoom, search and the keyboard for an exported flame graph. The picture is complete without it.
(() => {
	"use strict";
	const top = document.documentElement;
	const line = (name) => top.querySelector("text." + name);
	const all = readFrames();
	const state = { zoom: all[0], on: null, asking: false, query: "" };
	const margin = Number(top.querySelector(".frames").getAttribute("x"));
	const help = "click or Enter: zoom \u00b7 arrows: move \u00b7 /: search \u00b7 Esc: back to all";

	// Positions are integers in millionths, so that edges of adjacent frames are equal.
	function readFrames() {
		const parts = (text) => Math.round(parseFloat(text) * 10000);

		return Array.from(top.querySelectorAll(".frames > svg"), (node) => {
			const [name, detail] = node.querySelector("title").textContent.split("\n");
			const left = parts(node.getAttribute("x"));

			return {
				node, name, detail, left, brief: node.dataset.n || "", inlined: node.classList.contains("i"),
				right: left + parts(node.getAttribute("width")),
				y: Number(node.getAttribute("y")),
			};
		});
	}

	// The height of all rows.
	const rows = Number(top.getAttribute("height"));

	const contains = (a, b) => a.left <= b.left && b.right <= a.right;

	// Whether a is b or one of its ancestors.
	function isAbove(a, b) {
		const further = all[0].y < b.y ? a.y <= b.y : a.y >= b.y;

		return a === b || (further && a.y !== b.y && contains(a, b));
	}

	function label(frame, width) {
		const room = Math.floor((width - 8) / 6.7);

		if (room < 3)
			return "";
		const name = frame.brief && (frame.inlined || frame.name.length > room) ? frame.brief : frame.name;

		return name.length <= room ? name : name.slice(0, room - 1) + "\u2026";
	}

	// Frames that were too narrow for a label have no label element.
	function textOf(node) {
		const text = node.querySelector("text") || document.createElementNS(top.namespaceURI, "text");

		text.setAttribute("x", 4);
		text.setAttribute("y", 12);
		node.append(text);
		return text;
	}

	function draw() {
		const { left, right } = state.zoom;
		const pixels = Number(top.querySelector(".frames").getAttribute("width"));

		for (const frame of all) {
			const above = frame !== state.zoom && isAbove(frame, state.zoom);
			const from = above ? left : frame.left;
			const share = (above ? right - left : frame.right - frame.left) / (right - left);
			const shown = above || isAbove(state.zoom, frame);
			const { node } = frame;

			node.classList.toggle("gone", !shown);
			node.classList.toggle("above", above);
			if (!shown)
				continue;
			node.setAttribute("x", (from - left) / (right - left) * 100 + "%");
			node.setAttribute("width", share * 100 + "%");
			node.classList.toggle("thin", share * pixels < 4);
			textOf(node).textContent = label(frame, share * pixels);
		}
	}

	// Makes the picture as wide as the window and as high as its rows; the background extends below them.
	function fit() {
		const width = Math.max(window.innerWidth, 300);

		top.removeAttribute("viewBox");
		top.setAttribute("width", width);
		top.setAttribute("height", Math.max(rows, window.innerHeight));
		top.querySelector(".frames").setAttribute("width", width - 2 * margin);
		for (const right of top.querySelectorAll("text.mark, text.found"))
			right.setAttribute("x", width - margin);
		draw();
	}

	function tell(frame) {
		line("detail").textContent = frame ? `${frame.name} \u2014 ${frame.detail}` : "";
	}

	function select(frame) {
		if (!frame)
			return;
		if (state.on)
			state.on.node.classList.remove("on");
		state.on = frame;
		frame.node.classList.add("on");
		// Elements that follow it are drawn over it.
		frame.node.parentNode.append(frame.node);
		tell(frame);
	}

	function zoom(frame) {
		state.zoom = frame;
		draw();
		tell(frame);
	}

	// The search: a text or, after a slash, a regular expression; null if that is invalid.
	function matcher(query) {
		const wanted = query.toLowerCase();

		if (!wanted.startsWith("/"))
			return (name) => name.toLowerCase().includes(wanted);
		try {
			const expression = new RegExp(query.replace(/^\/(.*?)\/?$/s, "$1"), "i");

			return (name) => expression.test(name);
		} catch {
			return null;
		}
	}

	// Frames above a matching one are not counted again.
	function search() {
		const wanted = state.query;
		const matches = matcher(wanted);
		let sum = 0;
		let covered = -1;
		const found = all.slice(1).filter((frame) => {
			const is = wanted !== "" && matches !== null && matches(frame.name);

			frame.node.classList.toggle("match", is);
			return is;
		});

		found.sort((a, b) => a.left - b.left || b.right - a.right);
		for (const frame of found) {
			if (frame.right > covered) {
				sum += frame.right - Math.max(frame.left, covered);
				covered = frame.right;
			}
		}
		line("found").textContent = wanted === "" ? "" : matches === null ? "not a regular expression"
			: `${found.length} frames, ${(sum / 10000).toFixed(2)} % of the time`;
		line("help").textContent = state.asking || wanted !== ""
			? `search: ${state.query}${state.asking ? "\u2582" : ""}` : help;
	}

	// The nearest frame in the row at that distance, or the nearest in this row.
	function neighbour(rows, sideways) {
		const from = state.on || state.zoom;
		const outwards = all.length > 1 && all[1].y > all[0].y ? 18 : -18;
		const y = from.y + rows * outwards;
		const row = all.filter((f) => f.y === y && !f.node.classList.contains("gone"));

		row.sort((a, b) => a.left - b.left);
		if (sideways)
			return row[row.indexOf(from) + sideways];
		return row.find((f) => contains(f, from) || contains(from, f));
	}

	function edit(event) {
		if (event.key === "Escape")
			state.query = "";
		if (event.key === "Escape" || event.key === "Enter")
			state.asking = false;
		else if (event.key === "Backspace")
			state.query = state.query.slice(0, -1);
		else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey)
			state.query += event.key;
		else
			return;
		event.preventDefault();
		search();
	}

	function reset() {
		state.query = "";
		search();
		zoom(all[0]);
	}

	function press(event) {
		const up = all.length > 1 && all[1].y < all[0].y ? 1 : -1;
		const actions = {
			"ArrowUp": () => select(neighbour(up, 0)),
			"ArrowDown": () => select(neighbour(-up, 0)),
			"ArrowLeft": () => select(neighbour(0, -1)),
			"ArrowRight": () => select(neighbour(0, 1)),
			"Enter": () => zoom(state.on || state.zoom),
			"Escape": reset,
			"/": () => {
				state.asking = true;
				search();
			},
		};

		if (state.asking) {
			edit(event);
			return;
		}
		if (!Object.hasOwn(actions, event.key) || event.ctrlKey || event.metaKey || event.altKey)
			return;
		event.preventDefault();
		actions[event.key]();
	}

	const frameOf = (event) => all.find((frame) => frame.node.contains(event.target));

	if (all.length === 0)
		return;
	top.addEventListener("click", (event) => {
		const frame = frameOf(event);

		if (frame)
			zoom(frame);
	});
	top.addEventListener("mousemove", (event) => tell(frameOf(event) || state.on));
	top.addEventListener("keydown", press);
	window.addEventListener("resize", fit);
	fit();
	search();
	// Inside of a page, the reader decides.
	if (window.parent === window)
		top.focus();
})();
