// SPDX-License-Identifier: GPL-3.0-or-later
// For a page from call stacks without counts of calls: nowhere are there numbers of calls, 0 or others.

async function checkUncounted() {
	check("the head has no calls", /call/.test(one("#totals").textContent), false);
	check("the summary says why", one("#summary").textContent.includes("calls were not counted"));
	await go("#/functions");
	check("functions have none", all("#rows [data-column=calls], #rows [data-column=each]").length, 0);
	await go(`#/function/${data.name.indexOf("leaf")}`);
	check("a function has none", texts("#function dt").includes("Calls"), false);
	check("its callers are known", texts("#function .sides .sheet:first-child td:first-child"), ["main"]);
	check("by time alone", texts("#function .sides .sheet:first-child th"), ["Function", "Time s", "Of total"]);
	await go("#/graph");
	check("no graph of calls", one("#graph-calls").disabled);
	await go("#/about");
	check("callers are explained", /Calls were not counted: callers .* call stacks/.test(one("#about").textContent));
}

// Views without content are no tabs.
async function checkTabs() {
	check("no tab is empty", texts("nav a:not([hidden])"),
		["Summary", "Functions", "Flame graph", "About these numbers"]);
}

use(checkTabs, checkUncounted);
