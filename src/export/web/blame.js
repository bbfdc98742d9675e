// SPDX-License-Identifier: GPL-3.0-or-later
// Who waited for whom: of each function that had locks, how long others waited for them, and in which functions.

const LEAST_REST = 1e7; // nanoseconds

// What ends a wait: the holder of a lock gives it away, or wakes those who wait; or that has not been seen.
const BY_LOCK = 0, UNWOKEN = 2;
const endWords = ["\u2190 held up", "\u2190 woke", "\u2190 not woken"];

const holdPlace = ([, file, line]) => (file === "" ? ""
	: `${file.slice(file.lastIndexOf("/") + 1)}${line > 0 ? `:${line}` : ""}`);

function holdCell(place, unknown) {
	const [f, file] = place;
	const name = f === "" ? unknown : typeof f === "string" ? f : link(f);

	return make("td", { class: "text", title: file || null }, name, " ",
		make("span", { class: "muted" }, holdPlace(place)));
}

// A lock without a name is known by where a thread was first seen waiting for it.
function lockName(lock, end) {
	const [one, several] = end !== BY_LOCK ? ["a condition, semaphore or barrier",
		"conditions, semaphores or barriers"] : ["a lock", "locks"];

	if (typeof lock === "string")
		return [lock];
	const [first, n, address] = lock;
	const [f] = first;

	return f === "" ? [`several ${several}`]
		: [n > 1 ? `${n} ${several}` : address ? `${one}, at ${address},` : one, " first waited for in ",
			typeof f === "string" ? f : link(f), ` ${holdPlace(first)}`];
}

function holdRows([time, holder, waits]) {
	const unknown = waits.length > 0 && waits[0][3] === UNWOKEN ? "[not woken yet]" : "[holder unknown]";

	return [
		make("tr", { class: "holder" }, cell(seconds(time)), holdCell(holder, unknown),
			make("td", { class: "text" }), make("td", { class: "text" })),
		...waits.map(([part, waiter, lock, end]) => make("tr", null, cell(seconds(part), "faint"),
			make("td", { class: "text muted" }, endWords[end]),
			holdCell(waiter, "[several functions]"),
			make("td", { class: "text" }, ...lockName(lock, end)))),
	];
}

function deadlockItem([waiter, lock, holder]) {
	const name = ([f]) => (typeof f === "string" ? f || "[unknown]" : link(f));

	return make("li", null, name(waiter), ` ${holdPlace(waiter)} waits for `, ...lockName(lock, BY_LOCK), ", which ",
		name(holder), ` ${holdPlace(holder)} has`);
}

function deadlockPart({ deadlocks }) {
	return deadlocks.length === 0 ? [] : [
		make("h3", null, "Deadlock"),
		make("p", { class: "muted" }, "Each of these waits for a lock that the next one has, and none can go on."),
		make("ul", { id: "deadlocks" }, ...deadlocks.map(deadlockItem)),
	];
}

function showLocks() {
	const section = byId("locks");
	const { blame } = profile;
	const heads = ["Waited s", "<Who held them up", "<Who waited", "<For what"];

	if (section.childElementCount > 0)
		return section.querySelector("h2");
	section.append(make("h2", { tabindex: "-1" }, "Who waited for whom"),
		make("p", { class: "muted" }, blame.total === 0
			? "No thread was seen waiting for a lock that tells who has it."
			: `Threads waited ${spell(blame.total)} for locks; who had the lock is known of ` +
			`${percent(blame.known / blame.total * 100)}. Waiting of several threads adds up.`),
		...blame.woken === 0 ? [] : [make("p", { class: "muted" },
			`They waited ${spell(blame.woken)} at conditions, semaphores and barriers; whoever woke them is ` +
			"the holder, which is a guess while they wait: whoever woke such threads last.")],
		...blame.unwoken === 0 ? [] : [make("p", { class: "muted" },
			`They waited ${spell(blame.unwoken)} there until the recording ended, and were not woken.`)],
		...blame.rest < LEAST_REST ? [] : [make("p", { class: "muted" },
			`They waited ${spell(blame.rest)} in futex() ` + (blame.woken + blame.unwoken > 0
				? "where no waker is known: the ends of threads, OpenMP's barriers, and locks of programs' own."
				: "for what does not tell: conditions, semaphores, the ends of threads, and locks made of such."))],
		...deadlockPart(blame),
		make("table", { class: "waits" },
			make("caption", { class: "unseen" }, "Functions by how long others waited for their locks"),
			make("thead", null, make("tr", null, ...heads.map((head) => make("th",
				{ scope: "col", class: head.startsWith("<") ? "text" : null }, head.replace("<", ""))))),
			make("tbody", null, ...blame.rows.flatMap(holdRows))));
	return section.querySelector("h2");
}
