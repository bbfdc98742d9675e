// SPDX-License-Identifier: GPL-3.0-or-later
// As web-page.js, for the page of a profile with neither samples nor calls.

const lines = [];
const wait = (ms = 20) => new Promise((done) => setTimeout(done, ms));
const check = (what, ok) => lines.push(`${ok ? "ok" : "not ok"} - ${what}`);

check("it says that it is empty", /^This profile is empty/.test(document.getElementById("notices").textContent));
location.hash = "#/graph";
for (let i = 0; i < 50; i++)
	await wait();
check("so does the graph", /neither samples nor calls/.test(document.getElementById("graph").textContent));
for (const line of [...lines, "the end"])
	console.log(line);
