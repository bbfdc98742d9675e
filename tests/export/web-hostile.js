// SPDX-License-Identifier: GPL-3.0-or-later
// A page whose names and source text are markup: in the instructions of each function they are text, and no script
// runs.

const hostile = ["\u001b[31m\n\u007f\ufffd\"'$`", "<img src=q onerror=window.pwned=1>&\"",
	"<\/script><script>pwned=1<\/script>"];
const fold = () => one("#function .machine");

async function unfold(f) {
	await go(`#/function/${f}`);
	fold().querySelector("summary").click();
	await wait(50);
}

async function checkFolds() {
	const shown = [];
	let inside = 0;

	for (const { f } of data.code) {
		await unfold(f);
		shown.push(fold().textContent);
		inside += fold().querySelectorAll("img, script, iframe, object, [onerror], [src]").length;
	}
	const text = shown.join(" ");

	check("functions have instructions", data.code.length > 3, true);
	check("names of what is called are there as they are",
		hostile.map((name) => text.includes(`<${name}>`)), [true, true, true]);
	check("the file's name is there, as text", text.includes("<img src=q onerror=window.pwned=1>\"&'.c:4"), true);
	check("and the source text", text.includes("<\/script><script>window.pwned=1<\/script>"), true);
	check("none of it is markup", inside, 0);
}

async function checkPage() {
	await wait(300);
	check("no script of theirs has run", [typeof window.pwned, all("img").length, all("script").length >= 1],
		["undefined", 0, true]);
}

use(checkFolds, checkPage);
