// SPDX-License-Identifier: GPL-3.0-or-later
// Addresses, the part behind '#': a view and all that is chosen in it, with names in place of numbers, so that they
// mean the same in a page of another profile of the program.

// What is chosen for all views: of which process, thread and range of the run.
const PART_KEYS = ["process", "thread", "from", "to"];

// The address shown before a function was opened.
const place = { outside: "#/summary" };

// Colons are legal there, and names of C++ are full of them.
const encodeName = (name) => encodeURIComponent(name).replaceAll("%3A", ":");

function decodeName(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

const functionAddress = (f) => `#/function/${encodeName(profile.name[f])}`;

// The address of a function or cycle of a frame; null: it is neither.
const frameAddress = (f) => (f >= 0 ? functionAddress(f) : isCycle(f) ? `#/cycle/${cycleOf(f)}` : null);

// The function of that name; if there is none, that of the number, as older addresses have it. -1: none.
function functionOf(text) {
	const name = decodeName(text || "");
	const f = profile.name.indexOf(name);
	const number = /^\d+$/.test(name) ? Number(name) : -1;

	return f >= 0 ? f : number < profile.n ? number : -1;
}

function splitAddress(address) {
	const at = address.indexOf("?");
	const [path, query] = at < 0 ? [address, ""] : [address.slice(0, at), address.slice(at + 1)];

	return { path, parameters: new URLSearchParams(query) };
}

function joinAddress(path, parameters) {
	const query = parameters.toString().replaceAll("%3A", ":");

	return query === "" ? path : `${path}?${query}`;
}

// The address without what is chosen for all views.
function withoutPart(address) {
	const { path, parameters } = splitAddress(address);

	PART_KEYS.forEach((key) => parameters.delete(key));
	return joinAddress(path, parameters);
}

// The same with what is chosen now.
function withPart(address) {
	const { path, parameters } = splitAddress(withoutPart(address));

	partParameters().forEach((value, key) => parameters.set(key, value));
	return joinAddress(path, parameters);
}

// What was chosen when a place in the history was left or, of a new one, what its address chooses; null: nothing.
function partOfAddress(parameters) {
	const chosen = new URLSearchParams(PART_KEYS.filter((key) => parameters.has(key))
		.map((key) => [key, parameters.get(key)]));

	return typeof history.state === "string" ? new URLSearchParams(history.state)
		: chosen.size > 0 ? chosen : null;
}

// Makes this the address of what is shown; the history gets no new place.
function remember(address) {
	history.replaceState(partParameters().toString(), "", withPart(address));
}

// Links that are copied have what is chosen for all views.
function completeLink(event) {
	const anchor = event.target.closest && event.target.closest('a[href^="#/"]');

	if (anchor)
		anchor.setAttribute("href", withPart(anchor.getAttribute("href")));
}

function startAddresses() {
	for (const kind of ["pointerdown", "focusin"])
		document.addEventListener(kind, completeLink);
}
