// SPDX-License-Identifier: GPL-3.0-or-later
// The selection of an object, the program or a library, to which the table is then limited.

// Names in brackets are no files.
const isFile = ({ name }) => !name.startsWith("[");

// The objects with functions in the table, by descending time, with the names and shares of --objects.
function objectsByTime() {
	const time = new Map();

	for (const f of profile.all)
		time.set(profile.object[f], (time.get(profile.object[f]) || 0) + profile.self[f]);
	return Array.from(time, ([number, self]) => ({ number, self, name: profile.objects[number] }))
		.filter((object) => isFile(object) || object.self > 0 || object.number === table.object)
		.sort((a, b) => b.self - a.self || a.number - b.number);
}

const hasObjects = () => Boolean(profile.object) && objectsByTime().filter(isFile).length > 1;

// Whether a function is in the selected object.
const isChosen = (f) => table.object === null || profile.object[f] === table.object;

// The time of all rows.
function timeOfRows() {
	const self = table.rows.reduce((sum, f) => sum + profile.self[f], 0);

	return profile.sampled ? `  \u00b7  ${spell(self)}, ${percent(share(self))} of the ${measure}` : "";
}

const OBJECT_COLOURS = 8;

// The objects with most time have colours of their own, the program's first.
function objectColour(number) {
	const all = objectColour.order || objectsByTime().map((object) => object.number);
	const at = all.indexOf(number);

	objectColour.order = all;
	return at < 0 || at >= OBJECT_COLOURS ? "var(--rest)" : `var(--o${at})`;
}

// Shares are those of the selected thread.
function drawObjects() {
	if (byId("objects").hidden)
		return;
	const tell = ({ name, self }) => (profile.sampled ? `${name}: ${percent(share(self))}` : name);

	byId("object").replaceChildren(make("option", { value: "" }, "All objects"),
		...objectsByTime().map((object) => make("option", { value: object.number }, tell(object))));
	byId("object").value = table.object === null ? "" : table.object;
}

// Addresses contain the name, so that they are valid for other profiles of the program, too.
function readObject(name) {
	const number = hasObjects() ? profile.objects.indexOf(name) : -1;

	table.object = number < 0 ? null : number;
	drawObjects();
}

function startObjects() {
	const select = byId("object");

	byId("objects").hidden = !hasObjects();
	drawObjects();
	select.addEventListener("change", () => {
		table.object = select.value === "" ? null : Number(select.value);
		refresh();
		rememberTable();
	});
}
