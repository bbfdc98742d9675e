// SPDX-License-Identifier: GPL-3.0-or-later
// For a page with machine instructions: their times and calls are those of --source=NAME,asm, in #expected by function:
// lines "ADDRESS SECONDS" of those with time, and "ADDRESS CALLS" of those with calls.

const expected = JSON.parse(one("#expected").textContent);
const number = (text) => parseFloat(text.replace(/\u202f/g, ""));
const unitOf = (text) => ({ ns: 1e-9, µs: 1e-6, ms: 1e-3, s: 1 })[text.replace(/.*\u202f/, "")];
const rows = () => all("#function .machine .row[data-at]");
const address = (row) => row.querySelector("em").textContent.replace("> ", "");
const part = (row, kind) => row.querySelector(kind).textContent;

async function unfold(name) {
	await go(`#/function/${name}`);
	one("#function .machine summary").click();
	await wait(50);
}

async function checkTimes() {
	for (const [name, { times, calls }] of Object.entries(expected)) {
		await unfold(name);
		const busy = rows().filter((row) => part(row, "b") !== "");

		check(`${name}: instructions with their time`, busy.map((row) => {
			const text = part(row, "b");

			return `${address(row)} ${(number(text) * unitOf(text)).toFixed(2)}`;
		}), times);
		check(`${name}: each with its error and share`, busy.every((row) =>
			/^± \d/.test(part(row, ".error")) && /^\d.*%$/.test(part(row, ".part"))), true);
		check(`${name}: calls at call instructions`, rows().filter((row) => row.querySelector(".calls") &&
			part(row, ".calls") !== "").map((row) => `${address(row)} ${number(part(row, ".calls"))}`), calls);
	}
}

async function checkShape() {
	await unfold("main");
	check("source lines stand above their instructions", texts("#function .machine .row.line").some((text) =>
		/^all\.c:\d+ .*work\(x\)/.test(text)), true);
	check("a call has the name of what it calls", texts("#function .machine i").includes("<work>"), true);
	const jump = one("#function .machine .jump");

	jump.click();
	check("a jump leads to its target, which is marked", [document.activeElement.className.startsWith("row"),
		document.activeElement.querySelector("em").textContent.startsWith("> ")], [true, true]);
	check("few functions have instructions", data.code.length <= 24, true);
	check("no function has its instructions twice", new Set(data.code.map(({ f }) => f)).size, data.code.length);
}

use(() => resize("1200px"), checkTimes, checkShape);
