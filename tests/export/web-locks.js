// SPDX-License-Identifier: GPL-3.0-or-later
// For a page of who waited for whom, that of tests/golden/blame.profile: holders, waiters, locks, and a deadlock.

const row = ({ cells }) => Array.from(cells, (td) => plain(td.textContent).trim()).join("|");

async function checkLocks() {
	await go("#/locks");
	check("a view of locks", [one("#locks").hidden, one('nav a[data-view="locks"]').hidden], [false, false]);
	check("holders with those that they held up, and the locks", all("#locks tbody tr").map(row), [
		"3.700|flush||",
		"2.500|\u2190 held up|serve|ledger",
		"0.660|\u2190 held up|serve|2 locks first waited for in serve",
		"0.500|\u2190 held up|audit|ledger+0x20",
		"0.040|\u2190 held up|audit|a lock, at 0x7f003000, first waited for in audit",
		"0.120|serve||",
		"0.120|\u2190 held up|audit|journal",
		"0.080|audit||",
		"0.080|\u2190 held up|serve|ledger",
		"0.100|[holder unknown]||",
		"0.100|\u2190 held up|audit|journal",
	]);
	check("the deadlock comes first", texts("#deadlocks li"),
		["audit  waits for journal, which serve  has", "serve  waits for ledger, which audit  has"]);
	await follow(one("#locks tbody a"));
	check("holders lead to the function", one("#function h2").textContent.includes("flush"));
}

use(checkLocks);
