// SPDX-License-Identifier: GPL-3.0-or-later
// For the page of a profile with neither samples nor calls.

async function checkEmpty() {
	check("it says that it is empty", /^This profile is empty/.test(one("#notices").textContent));
	await go("#/graph");
	check("so does the graph", /neither samples nor calls/.test(one("#graph").textContent));
}

use(checkEmpty);
