// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the address after '#' determines what is shown, so that the browser's history works.

const hasGraph = profile.sampled || profile.counted;
const tabs = ["summary", "functions", ...hasGraph ? ["graph"] : [], ...ranks ? ["ranks"] : [],
	...profile.blame ? ["locks"] : [],
	...profile.cycles.length > 0 ? ["cycles"] : [], "about"];
const views = ["summary", "functions", "graph", "ranks", "locks", "cycles", "about", "function"];

function timeKind() {
	if (!profile.timed)
		return "";
	return profile.exact ? profile.elapsed || " of waiting" : profile.waiting ? " on the CPU" : "";
}

function showTotals() {
	const parts = profile.thread ? [] : [things(profile.n)];
	const calls = profile.ncalls.reduce((sum, n) => sum + n, 0);

	if (profile.clocked) {
		const every = profile.timed ? ` every ${period()}` : "";

		if (profile.waiting)
			parts.unshift(`${spell(profile.totalWaiting)} of waiting`);
		if (!profile.exact)
			parts.unshift(`${plural(profile.ticks, "sample")}${every}, ± at ${profile.level}\u202f%`);
		if (profile.sampled)
			parts.unshift(spell(profile.total) + timeKind());
		if (when.picked)
			parts.unshift(`second ${rangeText(when.picked).replace("\u202fs", "")}`);
	}
	if (profile.counted && !profile.thread)
		parts.push(plural(calls, "call"));
	if (profile.cycles.length > 0)
		parts.push(plural(profile.cycles.length, "cycle"));
	byId("program").textContent = profile.base;
	byId("totals").textContent = parts.join("  \u00b7  ");
	byId("origin").hidden = !profile.measured;
	if (profile.measured)
		byId("origin").textContent = [`from call stacks${ofAll(", of ")}`, ...qualityParts(),
			...profile.ofThreads ? [`of thread ${profile.ofThreads}`] : []].join("  \u00b7  ");
	byId("doubt").textContent = !profile.doubt ? ""
		: profile.estimated ? `${profile.doubt}. ${otherRules}` : profile.doubt;
	byId("doubt").hidden = !profile.doubt;
}

// The warnings that a reader must see before any number.
function showNotices() {
	const notices = [];

	if (profile.ticks === 0 && !(profile.ncalls.some((n) => n > 0)))
		notices.push("This profile is empty: it has neither samples nor calls. " +
			"gprof --explain looks for the reason.");
	else if (profile.clocked && !profile.sampled && !profile.timed && profile.exact)
		notices.push(`There are no ${measure}: the program's own code had none that the runtime counted. ` +
			"gprof --explain looks for the reason.");
	else if (profile.clocked && !profile.sampled)
		notices.push("There are no samples, so times are not known: the program's own code ran for less than the " +
			"time between two samples, or its timer did not tick. gprof --explain looks for the reason.");
	byId("notices").replaceChildren(...notices.map((words) => make("p", null, words)));
}

function setView(view) {
	const tab = view === "function" ? "functions" : view;

	for (const name of views)
		byId(name).hidden = name !== view;
	for (const anchor of document.querySelectorAll("nav a")) {
		if (anchor.dataset.view === tab)
			anchor.setAttribute("aria-current", "page");
		else
			anchor.removeAttribute("aria-current");
	}
	byId("content").scrollTop = 0;
}

function route() {
	const { path, parameters } = splitAddress(location.hash.slice(1));
	const [, name, argument] = path.split("/");
	const part = partOfAddress(parameters);

	if (path === "content")
		return;
	if (part)
		readPartParameters(part);
	if (name === "function") {
		const f = functionOf(argument);

		remember(f >= 0 ? functionAddress(f) : location.hash);
		setView("function");
		showFunction(f);
		focusHeading(byId("function").querySelector("h2"));
		return;
	}
	remember(location.hash || "#/summary");
	place.outside = withoutPart(location.hash);
	showView(name, argument, parameters);
}

function showView(name, argument, parameters) {
	if (name === "graph") {
		setView("graph");
		showGraph(parameters);
	} else if (name === "cycles" || name === "cycle") {
		setView("cycles");
		focusHeading(showCycles(Number(argument || 0)));
	} else if (name === "ranks" && ranks) {
		setView("ranks");
		focusHeading(showRanks());
	} else if (name === "locks" && profile.blame) {
		setView("locks");
		focusHeading(showLocks());
	} else if (name === "about") {
		setView("about");
		showAbout();
	} else if (name === "functions") {
		setView("functions");
		showTable(parameters);
	} else {
		setView("summary");
		showSummary();
	}
}

// Moves the focus for screen readers, without an outline.
function focusHeading(heading) {
	if (heading)
		heading.focus({ preventScroll: true, focusVisible: false });
}

// The colour scheme that the user has chosen while the page is open.
const chosen = { theme: "" };

// The last choice, if the browser allows storage for local files.
function storedTheme(value) {
	try {
		if (value)
			localStorage.setItem("gprof-theme", value);
		return localStorage.getItem("gprof-theme");
	} catch {
		return null;
	}
}

function setTheme(theme) {
	document.documentElement.dataset.theme = theme;
	byId("theme").textContent = theme === "dark" ? "Light" : "Dark";
	byId("theme").setAttribute("aria-label", `Use ${theme === "dark" ? "light" : "dark"} colours`);
}

function toggleTheme() {
	const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";

	chosen.theme = theme;
	setTheme(theme);
	storedTheme(theme);
}

const darkScheme = window.matchMedia("(prefers-color-scheme: dark)");
const currentTheme = () => chosen.theme || storedTheme() || (darkScheme.matches ? "dark" : "light");

function startTheme() {
	setTheme(currentTheme());
	darkScheme.addEventListener("change", () => setTheme(currentTheme()));
	byId("theme").addEventListener("click", toggleTheme);
}

// The keys of the whole page; inactive while the user types.
function press(event) {
	const typing = ["INPUT", "SELECT"].includes(event.target.tagName);

	if (event.ctrlKey || event.altKey || event.metaKey)
		return;
	if (typing) {
		if (event.key === "Escape" && (event.target.value === "" || event.target.tagName === "SELECT"))
			event.target.blur();
		return;
	}
	if (event.key === "/") {
		const search = byId("graph").hidden ? byId("search") : byId("graph-search");

		event.preventDefault();
		if (byId("graph").hidden && byId("functions").hidden)
			location.hash = "#/functions";
		setTimeout(() => search.select(), 0);
	} else if (event.key === "Backspace") {
		history.back();
	} else if (event.key >= "1" && event.key <= String(tabs.length)) {
		location.hash = `#/${tabs[event.key - 1]}`;
	} else if (event.key === "t") {
		toggleTheme();
	} else if (!byId("function").hidden) {
		pressInFunction(event);
	} else if (!byId("functions").hidden) {
		pressInTable(event);
	}
}

function start() {
	startTheme();
	showTotals();
	showNotices();
	startAddresses();
	startTable();
	startObjects();
	startGraph();
	startThreads();
	startWhen();
	startSummary();
	for (const anchor of document.querySelectorAll("nav a"))
		anchor.hidden = !tabs.includes(anchor.dataset.view);
	window.addEventListener("hashchange", route);
	document.addEventListener("keydown", press);
	route();
	document.documentElement.dataset.ready = Math.round(performance.now());
	document.documentElement.dataset.took = Math.round(performance.now() - began);
}

start();
