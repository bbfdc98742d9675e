// SPDX-License-Identifier: GPL-3.0-or-later
// For a page that has text of two source files: it says so, and of which.

async function checkSource() {
	await go("#/about");
	check("how many files it holds text of", /holds parts of 2 files/.test(one("#about").textContent));
	check("which files", texts("#about ul.path li").map((name) => name.replace(/^.*\//, "")).sort(),
		["main.c", "twice.c"]);
}

use(checkSource);
