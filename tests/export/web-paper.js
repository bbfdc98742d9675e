// SPDX-License-Identifier: GPL-3.0-or-later
// A page as it is on paper: its rules for print are made to hold on the screen, and then nothing scrolls, and no
// control is there that paper cannot use.

function usePrintRules() {
	for (const sheet of document.styleSheets) {
		for (const rule of sheet.cssRules) {
			if (rule.media && rule.media.mediaText === "print")
				rule.media.mediaText = "all";
		}
	}
	window.dispatchEvent(new Event("beforeprint"));
}

const seen = (element) => element.offsetParent !== null;
const called = (element) => `${element.tagName} ${element.id} ${element.className}`;

// Elements of which a part is out of sight, but for text that ends in an ellipsis.
const cut = () => all("#content, #content *").filter((element) => seen(element) &&
	["auto", "scroll"].some((kind) => getComputedStyle(element).overflowY === kind) &&
	element.scrollHeight > element.clientHeight + 1).map(called);

async function checkViews() {
	const whole = data.self.map((time, f) => time + data.below[f]);
	const heaviest = whole.map((_, f) => f).sort((a, b) => whole[b] - whole[a]).slice(0, 8);

	usePrintRules();
	check("on paper colours are light", document.documentElement.dataset.theme, "light");
	for (const hash of ["#/summary", "#/functions", "#/graph", "#/about", ...heaviest.map((f) => `#/function/${f}`)]) {
		await go(hash);
		await wait(50);
		check(`${hash}: all of it is there on paper`, cut(), []);
		check(`${hash}: without buttons`, all("button").filter((button) => seen(button) &&
			!button.closest("thead, .machine")).map(called), []);
	}
}

use(() => resize("700px"), checkViews);
