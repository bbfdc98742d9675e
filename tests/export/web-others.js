// SPDX-License-Identifier: GPL-3.0-or-later
// For a page of 40 threads with 1 to 40 samples: the lightest are one choice, and it has their time.

const select = one("#thread");
const totals = () => plain(one("#totals").textContent);

async function checkOthers() {
	check("40 threads: the 32 heaviest by themselves", select.options.length, 34);
	check("the rest is one choice, with its share", plain(select.lastChild.textContent), "8 other threads: 4.4 %");
	check("all of them", totals().startsWith("8.20 s"));
	await choose(select, select.lastChild.value);
	check("the time of the rest", totals().startsWith("360 ms"));
	check("and its samples", totals().includes("36 samples"));
}

use(checkOthers);
