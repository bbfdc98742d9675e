// SPDX-License-Identifier: GPL-3.0-or-later
// For a page from call stacks of several threads: what each choice shows is what is in #expected, from
// reports: of each thread, "" being all, lines "TOTAL SELF NAME" in seconds.

const expected = JSON.parse(one("#expected").textContent);
const select = one("#thread");

const number = (text) => Number(text.replace(/[^\d.]/g, ""));

// In which object the function of a line is, by its name and where web.sh put it.
const objectOf = (line) => (line.includes("[") ? line.replace(/.*\[(.*)\]/, "$1") : "a.out");

// By the heads of columns.
function shown() {
	const heads = all("#rows th").map((head) => head.querySelector("button").dataset.column);
	const at = (row, id) => row.children[heads.indexOf(id)].textContent;

	return all("#rows tbody tr[data-row]").map((row) =>
		`${number(at(row, "total")).toFixed(2)} ${number(at(row, "time")).toFixed(2)} ${row.querySelector("a").title}`)
		.sort();
}

const sum = (box, row) => Array.from(box.querySelectorAll(`.frame[aria-level="${row}"]`))
	.reduce((n, frame) => n + parseFloat(frame.style.width), 0);

async function checkChoice(value, thread) {
	await go("#/functions");
	await choose(select, value);
	check(`thread ${thread}: functions, as --inclusive has them`, shown(), expected[thread]);
	await go("#/graph");
	check(`thread ${thread}: the graph is full`, Math.abs(sum(one("#frames"), 2) - 100) < 1e-3, true);
	const some = ["spawn", "pack", "odd"];
	const share = (name) => all(`.frame[aria-label^="${name}, "]`).length;

	check(`thread ${thread}: the graph has its functions, and no others`, some.map((name) => share(name) > 0),
		some.map((name) => expected[thread].some((line) => line.endsWith(` ${name}`))));
}

// Of a recursive function: callers of the outermost, callees of the innermost, and both merged have all its time.
async function checkBoth() {
	await choose(select, "");
	for (const line of expected[""].filter((text) => / (even|odd)$/.test(text))) {
		const [total, own, name] = line.split(" ");
		const add = (side) => neighbours(side).reduce((n, [, time]) => n + number(time), 0);

		await go(`#/function/${data.name.indexOf(name)}`);
		check(`${name}: callees have its time but its own`, add("last").toFixed(2), (total - own).toFixed(2));
		check(`${name}: merged over all paths`, all(".sandwich .frames").map((box) =>
			(box.querySelector(".frame") ? Math.abs(sum(box, 1)) : 0) <= 100), [true, true]);
		const whole = all(".sandwich .frames")[1].querySelector(".frame").title.split("\n")[1];

		check(`${name}: merged, it has its inclusive time`,
			whole.startsWith(`${Math.round(total * 1000)}\u202fms`), true);
	}
}

const options = () => Array.from(one("#object").options, (option) => option.textContent.replace("\u202f", " "));

const chooseObject = (value) => choose(one("#object"), value);

// The choice of an object has the rows of --objects; of each, the table has the functions with all their time.
async function checkObjects() {
	const { objects } = expected;
	const found = () => one("#found").textContent;

	await go("#/functions");
	const shownOfAll = shown();

	check("objects, as --objects has them", options(),
		["All objects", ...objects.map(([name, part]) => `${name}: ${part} %`)]);
	check("the choice has a name, and keys of its own", [one("#objects").textContent.startsWith("Object "),
		one("#object").dispatchEvent(new KeyboardEvent("keydown", { key: "End", bubbles: true, cancelable: true }))],
	[true, true]);
	for (const [name, part, time] of objects) {
		await chooseObject(data.objects.indexOf(name));
		const rows = shown();
		const own = rows.reduce((sum, line) => sum + Number(line.split(" ")[1]), 0);

		check(`${name}: its functions`, rows.map((line) => line.split(" ")[2]),
			shownOfAll.filter((line) => objectOf(line) === name).map((line) => line.split(" ")[2]));
		check(`${name}: they have its time`, own.toFixed(2), time);
		check(`${name}: which is said`, [found().startsWith(`${rows.length} of 8 functions`), found().endsWith(
			`${Math.round(time * 1000)}\u202fms, ${part}\u202f% of the time`)], [true, true]);
	}
	await chooseObject(data.objects.indexOf("libm.so.6"));
	check("the address knows it", new URLSearchParams(location.hash.split("?")[1]).get("object"), "libm.so.6");
	const address = location.hash;

	await go("#/functions?sort=self&down=1");
	check("another address, without it: all", [one("#object").value, shown().length], ["", expected[""].length]);
	await go(address);
	check("back: it again", shown().length, 1);
	await choose(select, "0");
	check("of a thread, it has none of the time", [options().includes("libm.so.6: 0.0 %"), found().endsWith(
		" 0\u202fns, 0.0\u202f% of the time")], [true, true]);
	await choose(select, "");
	await chooseObject("");
	check("all objects again", found(), "8 functions");
}

async function checkThreads() {
	check("from call stacks: how good they are", one("#origin").textContent.split(/\s+\u00b7\s+/u),
		["from call stacks", "83.8\u202f% complete", "5.9\u202f% guessed", "10.3\u202f% broken"]);
	check("nothing is doubted or estimated", [one("#doubt").hidden, one("#graph-mark").hidden], [true, true]);
	check("threads by their time, with names and numbers", Array.from(select.options, (option) => option.textContent),
		["All 3 threads", "worker (TID 102): 41.2\u202f%", "demo (TID 100): 38.2\u202f%",
			"worker (TID 101): 20.6\u202f%"]);
	check("the choice has a name", one("#threads").textContent.startsWith("Thread "), true);
	select.focus();
	const key = new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true, cancelable: true });

	check("its keys are its own", select.dispatchEvent(key), true);
	for (const [value, thread] of [["0", "102"], ["1", "100"], ["2", "101"], ["", ""]])
		await checkChoice(value, thread);
	await choose(select, "2");
	await go(`#/function/${data.name.indexOf("odd")}`);
	check("callers in a thread", neighbours("first"), [["even", "0.130"]]);
	check("callees in a thread", one("#function .sides .sheet:last-child p").textContent, "None in worker (TID 101).");
	await checkBoth();
	await checkObjects();
	await go("#/about");
	check("what was measured is said", /had called which/.test(one("#about").textContent), true);
}

use(() => resize("1400px"), checkThreads);
