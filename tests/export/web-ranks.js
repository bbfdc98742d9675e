// SPDX-License-Identifier: GPL-3.0-or-later
// As web-page.js, for a page of four ranks, those of tests/golden/ranks.profile: rows, colours, and what the keys tell.

const lines = [];
const check = (what, got, wanted) => {
	const same = JSON.stringify(got) === JSON.stringify(wanted);

	lines.push(`${same ? "ok" : "not ok"} - ${what}`);
	if (!same)
		lines.push(`# ${JSON.stringify(got)}`);
};
const plain = (text) => text.replace(/[\u202f\u2009]/g, " ");
const colours = (row) => [...document.querySelectorAll("#ranks tbody tr")[row].querySelectorAll(".strip i")]
	.map((piece) => `${piece.className || "mean"} ${piece.style.flexGrow}`);
const press = (key) => document.querySelector("#ranks table").dispatchEvent(new KeyboardEvent("keydown", { key }));

await new Promise((done) => {
	addEventListener("hashchange", done);
	location.hash = "#/ranks";
});
check("a view of ranks", [document.getElementById("ranks").hidden,
	document.querySelector('nav a[data-view="ranks"]').hidden], [false, false]);
check("rows as --ranks has them", [...document.querySelectorAll("#ranks tbody tr")]
	.map(({ cells: [name, , , most, imbalance] }) => [name, most, imbalance].map((td) => plain(td.textContent)).join()),
["All functions,24.1 s,41.8", "solve_rows(int),21.0 s,50.2 *", "write_checkpoint,920 ms,100.0 *",
	"[in no function],200 ms,100.0 *", "pack_halo,3.22 s,3.4"]);
check("ranks by their numbers, warmer or cooler than the mean", colours(1), ["cool1 1", "warm2 1", "cool1 2"]);
check("no colour where sampling explains it", colours(4), ["mean 4"]);
press("ArrowDown");
press("ArrowRight");
check("keys tell of a rank", plain(document.getElementById("rank-detail").textContent),
	"rank gmon.3: 21.0 s in solve_rows(int), 60 % above the mean of 13.1 s");
for (const line of [...lines, "the end"])
	console.log(line);
