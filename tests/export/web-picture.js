// SPDX-License-Identifier: GPL-3.0-or-later
// For a flame graph that is an SVG.
(() => {
	"use strict";
	const top = document.documentElement;
	const frames = Array.from(top.querySelectorAll(".frames > svg"));
	const name = (frame) => frame.querySelector("title").textContent.split("\n")[0];
	const shown = () => frames.filter((frame) => !frame.classList.contains("gone"));
	const text = (kind) => top.querySelector(`text.${kind}`).textContent;
	const press = (key) => top.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
	const row = (y) => shown().filter((frame) => frame.getAttribute("y") === y);
	const leaf = frames.find((frame) => name(frame) === "leaf");
	const n = frames.length;

	check("frames are there", n > 5);
	check("it fills the window", Number(top.getAttribute("width")) === window.innerWidth &&
		top.getBoundingClientRect().height >= window.innerHeight);
	leaf.dispatchEvent(new MouseEvent("click", { bubbles: true }));
	check("a click zooms", leaf.getAttribute("width") === "100%" && row(leaf.getAttribute("y")).length === 1);
	check("and tells of the frame", text("detail").startsWith("leaf "));
	check("what is below stays", shown().some((frame) => name(frame) === "all"));
	press("Escape");
	check("Escape: all of it", shown().length === n);
	press("ArrowUp");
	press("ArrowUp");
	check("up: a frame further out", text("detail").length > 0 && top.querySelectorAll(".on").length === 1);
	press("Enter");
	check("Enter zooms", shown().length < n);
	press("Escape");
	for (const key of ["/", "L", "e", "a", "x", "Backspace", "f"])
		press(key);
	check("search marks", top.querySelectorAll(".match").length > 0 &&
		Array.from(top.querySelectorAll(".match"), name).every((found) => found.includes("leaf")));
	check("and adds up", /^\d+ frames, [\d.]+ % of the time$/.test(text("found")));
	press("Enter");
	press("Escape");
	check("Escape ends it", text("found") === "" && top.querySelectorAll(".match").length === 0);
	for (const key of ["/", "/", "^", "w", ".", "r", "k", "$"])
		press(key);
	check("search for a regular expression", Array.from(top.querySelectorAll(".match"), name).sort().join(" ")
		.replace(/(\w+)( \1)+/g, "$1") === "work");
	press("[");
	check("one that is none is told", text("found") === "not a regular expression");
	press("Escape");
	check("nothing was run", window.pwned === undefined);
	check("nothing was asked for", performance.getEntriesByType("resource").length === 0);
	use();
})();
