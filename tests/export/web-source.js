// SPDX-License-Identifier: GPL-3.0-or-later
// Runs at the end of a page that has text of two source files: it says so, and of which.

const check = (what, got, wanted) => {
	const same = JSON.stringify(got) === JSON.stringify(wanted);

	console.log(`${same ? "ok" : "not ok"} - ${what}`);
	if (!same)
		console.log(`# ${JSON.stringify(got)}, not ${JSON.stringify(wanted)}`);
};

location.hash = "#/about";
setTimeout(() => {
	const about = document.querySelector("#about");
	const files = [...about.querySelectorAll("ul.path li")].map((item) => item.textContent.replace(/^.*\//, ""));

	check("how many files it holds text of", /holds parts of 2 files/.test(about.textContent), true);
	check("which files", files.sort(), ["main.c", "twice.c"]);
	console.log("the end");
}, 300);
