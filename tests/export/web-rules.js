// SPDX-License-Identifier: GPL-3.0-or-later
// For a page with axe-core in it: what that finds in each view of #hashes, in light and dark colours, all unfolded.

async function checkRules() {
	for (const theme of ["light", "dark"]) {
		document.documentElement.dataset.theme = theme;
		for (const hash of JSON.parse(one("#hashes").textContent)) {
			await go(hash);
			all("details").forEach((fold) => {
				fold.open = true;
			});
			await wait(50);
			const { violations } = await axe.run(document);
			const serious = violations.filter(({ impact }) => ["serious", "critical"].includes(impact));

			check(`${theme}, ${hash}: no rule is broken`,
				serious.map(({ id, nodes }) => `${id} ${nodes[0].target}`), []);
		}
	}
}

// What can be clicked can be reached by Tab, or by arrow keys inside of what can.
async function checkKeys() {
	for (const hash of JSON.parse(one("#hashes").textContent)) {
		await go(hash);
		const lost = all("a[href], button, input, select, summary").filter((element) => element.offsetParent &&
			!element.disabled && element.tabIndex < 0 && !element.closest("#rows, .sandwich .frames, .jump"));

		check(`${hash}: all controls can be reached by keys`,
			lost.map((element) => element.outerHTML.slice(0, 80)), []);
	}
}

use(checkRules, checkKeys);
