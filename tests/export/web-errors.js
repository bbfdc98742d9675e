// SPDX-License-Identifier: GPL-3.0-or-later
// For a page of samples: an error of each function, which is that of --top, on all views, at the level of the head.

const { level, errors } = JSON.parse(one("#expected").textContent);
const said = `\u00b1 at ${level} %`;
const titles = () => all("#content [title]").map((element) => plain(element.title));
const other = level === 95 ? "80 %" : "95 %";

// Of a table with the names first.
const errorsOf = (box, column) => Object.fromEntries(all(`${box} tbody tr:has(a)`).map((row) =>
	[row.querySelector("a").title, Number(row.children[column].textContent).toFixed(2)]));

function checkTips(where) {
	check(`${where}: tips say so`, titles().some((tip) =>
		/^Sampling error.*half/.test(tip) && tip.includes(`${level} %`)));
	check(`${where}: and nothing else`, titles().filter((tip) => /deviation/.test(tip) || tip.includes(other)), []);
}

async function checkErrors() {
	check("the head says the level", plain(one("#totals").textContent).includes(said));
	check("errors as --top has them", errorsOf("#summary", 3), errors);
	checkTips("summary");
	await go("#/functions");
	check("functions: the same", errorsOf("#rows", 3), errors);
	checkTips("functions");
	await go(`#/function/${data.name.indexOf("work")}`);
	const fact = all("#function .facts > div").find((element) => /^Sampling error/.test(element.textContent));

	const [, error] = /\u00b1 ([\d.]+) ms/.exec(plain(fact.textContent));

	check("a function: the same", (Number(error) / 1000).toFixed(2), errors.work);
	checkTips("function");
	await go("#/about");
	check("what is said of numbers", [plain(one("#about").textContent).includes(`in ${level} % of runs`),
		/deviation/.test(one("#about").textContent)], [true, false]);
}

use(() => resize("1500px"), checkErrors);
