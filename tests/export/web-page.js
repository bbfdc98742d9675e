// SPDX-License-Identifier: GPL-3.0-or-later
// Uses a page that web.sh made as a reader would.

const names = () => all("#rows tbody td:first-child a").map((a) => a.title);
const violations = [];

async function press(key) {
	const target = document.activeElement || document.body;

	target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
	await wait();
}

async function click(selector) {
	one(selector).dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
	await wait();
}

async function type(selector, text) {
	one(selector).value = text;
	one(selector).dispatchEvent(new Event("input", { bubbles: true }));
	await wait();
}

const back = () => changed(() => history.back());

const sortedHeads = () => all("#rows th[aria-sort]").map((head) =>
	[head.textContent, head.getAttribute("aria-sort")].join(" "));
const wanted = (order) => data.name.map((_, f) => f).sort(order).map((f) => data.name[f]);
const calls = (f) => data.outer[f] + data.recursive[f];

// The page opens with what --top has, which web.sh has put behind the page.
async function checkSummary() {
	const expected = JSON.parse(one("#expected").textContent);
	const rows = () => all("#summary tbody tr");

	check("the summary comes first", [one("#summary").hidden, one("#functions").hidden,
		one("nav [aria-current]").textContent], [false, true, "Summary"]);
	check("what is wrong is there", texts("#summary .wrong b"), expected.wrong);
	check("the same functions are, with their shares", rows().map((row) => parseFloat(row.children[1].textContent)),
		expected.shares.map((part) => Number(part.toFixed(1))));
	check("when it was written", one("#summary").textContent.includes(`written ${expected.written}`), true);
	check("with names as they are", rows().map((row) => row.querySelector("a").title).slice(0, 2), ["leaf", "work"]);
	check("and callers", rows()[0].lastChild.textContent.replace("\u202f", " "), expected.caller);
	for (const [width, least] of [["1500px", 300], ["1200px", 160], ["900px", 160], ["600px", 160], ["400px", 160]]) {
		await resize(width);
		check(`${width}: the summary is all in sight`,
			one("#summary .hot").scrollWidth <= one("#summary .hot").clientWidth, true);
		check(`${width}: names have room`, rows()[0].children[0].clientWidth >= least, true);
		check(`${width}: each function is one line`, rows().filter((row) => row.offsetHeight > 28).length, 0);
	}
	await resize("");
	await follow(rows()[1].querySelector("a"));
	check("a function opens", one("#function h2").textContent, "work");
	await changed(() => press("Escape"));
	check("and leads back", one("#summary").hidden, false);
	await follow(all("#summary .rest a")[0]);
	check("behind it are all functions", one("#functions").hidden, false);
	await changed(() => press("1"));
	check("1 is the summary", one("#summary").hidden, false);
	await changed(() => press("2"));
	check("2 are the functions", one("#functions").hidden, false);
}

async function checkSort() {
	const byName = (a, b) => (data.name[a] < data.name[b] ? -1 : 1);
	const byTime = (a, b) => data.self[b] - data.self[a] || calls(b) - calls(a) || byName(a, b);
	const byCalls = (a, b) => calls(b) - calls(a) || byName(a, b);
	const fewest = (a, b) => calls(a) - calls(b) || byName(a, b);

	const busy = wanted(byTime).filter((name) => name !== "idle");

	check("there is one object, and no choice of one", [one("#objects").hidden, data.objects], [true, undefined]);
	check("sorted by own time, what has none put away", names(), busy);
	check("the last row says so", one("#rows .fold").textContent, "1 function without time: show");
	check("one head says so", sortedHeads(), ["Self % descending"]);
	await click("[data-column=calls]");
	check("sorted by calls", names(), wanted(byCalls));
	check("the head of calls says so", sortedHeads(), ["Calls descending"]);
	check("and keeps the focus", document.activeElement.textContent, "Calls");
	await click("[data-column=calls]");
	check("again: upwards", sortedHeads(), ["Calls ascending"]);
	check("fewest calls first", names()[0], wanted(fewest)[0]);
	await click("[data-column=name]");
	check("sorted by name", names(), data.name.slice().sort(new Intl.Collator("en").compare));
	await click("[data-column=self]");
	await click("#unfold");
	check("all rows are shown when that is wanted", names(), wanted(byTime));
	check("and the address remembers it", /[?&]all=1/.test(location.hash), true);
}

// Names come first and have room, whatever the window and on paper; a row is one line.
async function checkNames() {
	const heads = () => texts("#rows th");
	const room = () => one("#rows tbody td").clientWidth;

	for (const [width, least] of [["1400px", 400], ["900px", 280], ["800px", 280], ["600px", 200],
		["400px", 200]]) {
		await resize(width);
		check(`${width}: names come first`, heads()[0], "Function");
		check(`${width}: they have ${least} pixels`, room() >= least, true);
		check(`${width}: no column is out of sight`, one("#rows").scrollWidth <= one("#rows").clientWidth, true);
		check(`${width}: rows of one line`,
			all("#rows tbody tr[data-row]").filter((row) => row.offsetHeight > 26).length, 0);
	}
	await resize("");
	window.dispatchEvent(new Event("beforeprint"));
	check("on paper: all rows, names first", [heads()[0], names().length, room() > 200],
		["Function", data.name.length, true]);
	window.dispatchEvent(new Event("afterprint"));
	const long = data.name.findIndex((name) => name.length > 4000);
	const link = all("#rows tbody td:first-child a").find((a) => a.title === data.name[long]);

	check("a long name is cut in its middle",
		/^(_ZN2ns|ns::).*\u2026.*last(Ei|\(int\)|\(\.\.\.\))$/.test(link.textContent), true);
	await go(`#/function/${long}`);
	check("a long name is no long title", one("#function h2").textContent.length < 250, true);
	check("all of it is there", one("#function .whole p").textContent, data.name[long]);
	await go("#/functions");
}

async function checkSearch() {
	await press("/");
	check("/ goes to the search", document.activeElement.id, "search");
	await type("#search", "P");
	check("search", names().sort(), data.name.filter((name) => name.toLowerCase().includes("p")).sort());
	check("how many are found", one("#found").textContent, `${names().length} of ${data.name.length} functions`);
	await type("#search", "nothing like this");
	check("nothing found", names(), []);
	await type("#search", "/^p[io]ng/");
	check("a regular expression", names().sort(), ["ping", "pong"]);
	await type("#search", "/p[");
	check("one that is none is told", [names(), one("#search").getAttribute("aria-invalid"),
		/regular expression/.test(one("#found").textContent)], [[], "true", true]);
	await type("#search", "p ng");
	check("it was one of these", one("#search").getAttribute("aria-invalid"), null);
	check("all words must be there", names().sort(), ["ping", "pong"]);
}

async function checkKeyboard() {
	await press("ArrowDown");
	const first = document.activeElement.textContent;

	check("down from the search: the first row", first, names()[0]);
	await press("ArrowDown");
	check("down: the second row", document.activeElement.textContent, names()[1]);
	check("one row is marked", texts("#rows tr.on a"), [names()[1]]);
	check("one row can be reached by Tab", all("#rows tbody a").filter((a) => a.tabIndex === 0).length, 1);
	await press("Home");
	check("Home: the first row", document.activeElement.textContent, first);
	const name = document.activeElement.textContent;

	await follow(document.activeElement);
	check("a function is opened", one("#function h2").textContent, name);
}

// Still with the search of checkSearch() behind it.
async function checkHistory() {
	await press("ArrowDown");
	const link = document.activeElement;
	const name = link.textContent;
	const before = one("#function h2").textContent;

	check("down: a caller or callee", link.matches("#function td a"), true);
	await follow(link);
	check("which is opened", one("#function h2").textContent, name);
	await back();
	check("back: the function before", one("#function h2").textContent, before);
	await back();
	check("back: the table", one("#functions").hidden, false);
	check("with its search", [one("#search").value, names().sort()], ["p ng", ["ping", "pong"]]);
	await changed(() => press("Backspace"));
	await type("#search", "");
	await go("#/functions");
}

async function checkFunction() {
	const f = data.name.indexOf("work");

	await go(`#/function/${f}`);
	check("callers", texts("#function .sides .sheet:first-child td:first-child"), ["main"]);
	check("callees", texts("#function .sides .sheet:last-child td:first-child")[0], "leaf");
	let copied = "";

	Object.defineProperty(navigator, "clipboard", { value: { writeText: async (what) => { copied = what; } } });
	await press("c");
	check("c copies the name", [copied, one("#copy").textContent], ["work", "Copied"]);
	await changed(() => press("Escape"));
	check("Escape leaves it", [one("#function").hidden, one("#functions").hidden], [true, false]);
	await go("#/function/99999");
	check("no such function", one("#function").textContent, "There is no such function.");
	await go(`#/function/${data.name.indexOf("main")}`);
	check("an estimated figure says so", [/^Total~/.test(all("#function .facts div")[1].textContent),
		texts("#function .sides .sheet:last-child tbody td:nth-child(3)").every((time) => /^(~|0$|cycle)/.test(time))],
		[true, true]);
	await go("#/functions");
	const bars = all("#rows tbody tr[data-row] .share:nth-child(2)").map((share) => [
		share.querySelector("i").getBoundingClientRect(), share.querySelector("span").getBoundingClientRect(),
		parseFloat(share.textContent)]);

	check("bars are beside their digits", bars.filter(([bar, digits]) => bar.right > digits.left).length, 0);
	check("on one scale from 0 to 100", bars.filter(([bar, , part]) => part > 5 &&
		Math.abs(bar.width / part - bars[0][0].width / bars[0][2]) > 0.05).length, 0);
}

const level = (row) => all(`.frame[aria-level="${row}"]`);
const widths = (row) => level(row).reduce((sum, frame) => sum + parseFloat(frame.style.width), 0);

const shares = (row) => Object.fromEntries(level(row).map((frame) =>
	[frame.getAttribute("aria-label").split(", ")[0], Math.round(parseFloat(frame.style.width) * 100)]));

// Weighed against the data: own time by function; calls by caller and by callee.
async function checkTrees() {
	const part = (n, of) => Math.round(n / of * 10000);
	const all_calls = data.calls.reduce((sum, n) => sum + n, 0);
	const leaf = data.name.indexOf("leaf");
	const ping = data.name.indexOf("ping");
	const into = data.calls.reduce((sum, n, i) => sum + (data.to[i] === leaf ? n : 0), 0);
	const start = data.arcs.slice(0, ping).reduce((sum, n) => sum + n, 0);
	const out = data.calls.slice(start, start + data.arcs[ping]).reduce((sum, n) => sum + n, 0);

	await changed(() => one("#graph-inverted").click());
	check("inverted: all own time", Math.abs(widths(2) - 100) < 1e-3, true);
	check("inverted: that of a function", [shares(2).leaf, shares(2)["cycle 1 of 2 functions"]],
		[part(data.self[leaf], data.total), part(data.cycles[0][0], data.total)]);
	check("inverted: callers further out", level(3).some((frame) => frame.textContent === "work"), true);
	await changed(() => one("#graph-calls").click());
	check("calls, inverted: by callee", shares(2).leaf, part(into, all_calls));
	check("calls are not estimated", one("#graph-mark").hidden, true);
	await changed(() => one("#graph-callers").click());
	check("calls: by caller", shares(2).ping, part(out, all_calls));
	await changed(() => one("#graph-time").click());
	await go(`#/function/${leaf}`);
	check("merged paths are estimated, and say so", all(".sandwich .frame").every((frame) =>
		/\n~\S+ \(~/u.test(frame.title.replace(/\u202f/gu, ""))), true);
	check("callers of a function, merged", [texts(".sandwich .frames")[0].includes("work"),
		texts(".sandwich .frames").map((text) => text.includes("leaf"))], [true, [false, true]]);
	await go(`#/function/${data.name.indexOf("work")}`);
	const below = Array.from(all(".sandwich .frames")[1].children, (frame) => frame.textContent.split(" ")[0]);

	check("what it calls, merged", [below[0], below.includes("leaf")], ["work", true]);
	await go(`#/function/${ping}`);
	check("a member of a cycle: that, merged", /^cycle 1 of 2/.test(all(".sandwich .frames")[1].textContent), true);
	await go("#/graph");
}

async function checkGraph() {
	let self = 0;

	for (let i = 0; i < data.frames.length; i += 5)
		self += data.frames[i + 3];
	check("own times of all frames are the total", self, data.total);
	await go("#/graph");
	check("the whole has all the width", widths(1), 100);
	check("so have those on it", Math.abs(widths(2) - 100) < 1e-3, true);
	check("said to be estimated", [one("#graph-mark").hidden, one("#graph-mark").textContent],
		[false, "estimated from call counts"]);
	const frame = all('.frame[aria-level="3"]')[0];
	const label = frame.getAttribute("aria-label");

	await follow(frame);
	check("a click zooms", [widths(3), all('.frame[aria-level="3"]').length], [100, 1]);
	check("to the frame", one('.frame[aria-level="3"]').getAttribute("aria-label"), label);
	await back();
	check("back: all of it", all('.frame[aria-level="3"]').length > 1, true);
	await press("ArrowDown");
	await press("ArrowDown");
	check("down twice: a frame of the third row", one(".frame.on").getAttribute("aria-level"), "3");
	await press("ArrowRight");
	check("right: beside it", one(".frame.on").getAttribute("aria-label") !== label, true);
	check("readers are told", one("#frames").getAttribute("aria-activedescendant"), one(".frame.on").id);
	const name = one("#graph-detail b").textContent;

	check("the figures of a frame are estimated, and say so",
		(one("#graph-detail .figures").textContent.match(/~/g) || []).length >= 2, true);

	await changed(() => press("Enter"));
	check("Enter zooms", widths(3), 100);
	await changed(() => press("f"));
	const cycle = name.match(/^cycle (\d+) of (.*)$/);

	check("f opens the function, or the cycle", one(cycle ? `#cycle-${cycle[1]} h2` : "#function h2").textContent,
		cycle ? `Cycle ${cycle[1]}: ${cycle[2]}` : name);
	await back();
	await changed(() => press("Escape"));
	check("Escape: all of it", all('.frame[aria-level="3"]').length > 1, true);
	await type("#graph-search", "leaf");
	check("search marks", Array.from(new Set(texts(".frame.match"))), ["leaf"]);
	await type("#graph-search", "");
	await checkTrees();
	await click("#flame");
	check("flame: callers below", parseFloat(one("#frames .frame").style.top) > 0, true);
}

async function checkCycles() {
	const rules = /text reports divides the time of a cycle by other rules/;

	await go("#/cycles");
	check("text reports have other times: said at the top", rules.test(one("#doubt").textContent), true);
	check("and with the cycles", rules.test(one("#cycles .prose").textContent), true);
	check("what is estimated is marked: of the cycle, but for its members' own time",
		texts("#cycles .facts dd").slice(0, 3).map((text) => (text.match(/~/g) || []).length), [2, 0, 2]);
	check("and of the members' callees", texts(".cycle .sheet:first-child td:nth-child(3)").every((text) =>
		/^(~|0$)/.test(text)), true);
	check("members of the cycle", texts(".cycle .sheet:first-child td:first-child").sort(), ["ping", "pong"]);
	check("calls inside", texts(".cycle .sheet:last-child td:nth-child(3)").sort(), ["7", "8"]);
	check("a member says so", data.cycle[data.name.indexOf("ping")], 1);
	await go("#/about");
	check("what was assumed is said", /estimated from call counts/.test(one("#about").textContent), true);
}

async function checkHostile() {
	const hostile = data.name.filter((name) => /[<&"]/.test(name));

	check("hostile names are there", hostile.length, 5);
	await go("#/functions");
	check("as text", hostile.every((name) => names().includes(name)), true);
	for (const name of hostile) {
		await go(`#/function/${data.name.indexOf(name)}`);
		check(`title: ${name}`, one("#function h2").textContent, name);
	}
	check("nothing of them was run", [window.pwned === undefined, all("x, main script, main img").length], [true, 0]);
}

// Colours as red, green, blue, from 0 to 1; null if transparent.
function channels(colour) {
	const part = colour.match(/[\d.]+/g).map(Number);

	return part.length > 3 && part[3] === 0 ? null : part.slice(0, 3).map((x) => x / 255);
}

function luminance(rgb) {
	const [r, g, b] = rgb.map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));

	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(element) {
	let below = element;

	while (below.parentElement && !channels(getComputedStyle(below).backgroundColor))
		below = below.parentElement;
	const bright = [getComputedStyle(element).color, getComputedStyle(below).backgroundColor]
		.map((colour) => luminance(channels(colour) || [1, 1, 1])).sort((a, b) => b - a);

	return (bright[0] + 0.05) / (bright[1] + 0.05);
}

const isText = (element) => element.offsetParent && Array.from(element.childNodes).some((node) =>
	node.nodeType === Node.TEXT_NODE && node.data.trim() !== "");

async function checkSight() {
	for (const theme of ["light", "dark"]) {
		if (document.documentElement.dataset.theme !== theme)
			await press("t");
		check(`${theme}: chosen by key`, document.documentElement.dataset.theme, theme);
		for (const view of ["functions", "function/0", "graph", "cycles", "about"]) {
			await go(`#/${view}`);
			const poor = all("body *").filter((element) => isText(element) && contrast(element) < 4.5);

			check(`${theme}, ${view}: contrast`, poor.map((element) => `${element.className} ${element.textContent} ` +
				contrast(element).toFixed(2)), []);
		}
	}
	check("all fields and buttons have names", all("input, button").filter((element) =>
		!element.getAttribute("aria-label") && element.textContent.trim() === "").length, 0);
	check("heads say what they head", all("th:not([scope])").length, 0);
}

async function checkNetwork() {
	check("nothing was asked for", performance.getEntriesByType("resource").map((entry) => entry.name), []);
	document.addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective));
	await wait(20);
	await fetch("http://127.0.0.1:9/").catch(() => null);
	document.body.append(Object.assign(document.createElement("img"), { src: "http://127.0.0.1:9/x.png" }));
	await wait(150);
	check("nothing can be asked for", violations.sort(), ["connect-src", "img-src"]);
}

use(checkSummary, checkSort, checkNames, checkSearch, checkKeyboard, checkHistory, checkFunction, checkGraph,
	checkCycles, checkHostile, checkSight, checkNetwork);
