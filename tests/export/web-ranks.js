// SPDX-License-Identifier: GPL-3.0-or-later
// For a page of four ranks, those of tests/golden/ranks.profile: rows, colours, and what the keys tell.

const colours = (row) => Array.from(all("#ranks tbody tr")[row].querySelectorAll(".strip i"),
	(piece) => `${piece.className || "mean"} ${piece.style.flexGrow}`);
const press = (key) => one("#ranks table").dispatchEvent(new KeyboardEvent("keydown", { key }));

async function checkRanks() {
	await go("#/ranks");
	check("a view of ranks", [one("#ranks").hidden, one('nav a[data-view="ranks"]').hidden], [false, false]);
	const cellsOf = ({ cells: [name, , , most, imbalance] }) => [name, most, imbalance];

	check("rows as --ranks has them", all("#ranks tbody tr")
		.map((row) => cellsOf(row).map((td) => plain(td.textContent)).join()),
	["All functions,24.1 s,41.8", "solve_rows(int),21.0 s,50.2 *", "write_checkpoint,920 ms,100.0 *",
		"[in no function],200 ms,100.0 *", "pack_halo,3.22 s,3.4"]);
	check("ranks by their numbers, warmer or cooler than the mean", colours(1), ["cool1 1", "warm2 1", "cool1 2"]);
	check("no colour where sampling explains it", colours(4), ["mean 4"]);
	press("ArrowDown");
	press("ArrowRight");
	check("keys tell of a rank", plain(one("#rank-detail").textContent),
		"rank gmon.3: 21.0 s in solve_rows(int), 60 % above the mean of 13.1 s");
}

use(checkRanks);
