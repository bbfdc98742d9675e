// SPDX-License-Identifier: GPL-3.0-or-later
// The machine instructions of a function in a fold, with the time of each. Only functions with most time have them.

const codes = new Map((profile.code || []).map((code) => [code.f, code]));

const codeLineName = (file, line) => `${profile.codeFiles[file].replace(/^.*\//, "")}:${line}`;

// The text of a source line, as far as the page has it.
function codeLineText(file, line) {
	const number = profile.files.indexOf(profile.codeFiles[file]);
	const excerpt = profile.source.find(([of, first, text]) => of === number && first <= line &&
		line < first + text.split("\n").length);

	return excerpt ? excerpt[2].split("\n")[line - excerpt[1]].trim() : "";
}

// Cells of the numbers; nothing for zeros.
function codeNumbers(own, error, calls, hasCalls) {
	return [
		make("b", null, own ? spell(own) : ""),
		...profile.exact ? [] : [make("b", { class: "error" }, error ? `± ${spell(error)}` : "")],
		make("b", { class: "part" }, own ? percent(total > 0 ? own / total * 100 : 0, 2) : ""),
		...hasCalls ? [make("b", { class: "calls" }, calls ? `${integer(calls)}\u00d7` : "")] : [],
	];
}

const codeHead = (hasCalls) => make("div", { class: "row head" }, make("b", null, "Self"),
	...profile.exact ? [] : [make("b", { class: "error" }, "±")], make("b", { class: "part" }, "Of all"),
	...hasCalls ? [make("b", { class: "calls" }, "Calls")] : [], make("em", null, "Address"),
	make("span", null, "Instruction"));

// A jump in the function leads to its target.
function jumpButton(box, at, to) {
	const button = make("button", { type: "button", class: "jump", "aria-label": "Go to where it jumps" },
		to > at ? "\u2193" : "\u2191");

	button.addEventListener("click", () => {
		const row = box.querySelector(`[data-at="${to}"]`);

		if (row) {
			row.scrollIntoView({ block: "nearest" });
			row.focus();
		}
	});
	return button;
}

function codeRow(box, code, at, row, hasCalls) {
	const [, words, own, error, calls, isTarget, callee, to] = row;
	const address = (BigInt(`0x${code.from}`) + BigInt(at)).toString(16);

	const kind = own / total > 0.01 ? "row busy" : "row";

	return make("div", { class: kind, "data-at": at, tabindex: isTarget ? -1 : null },
		...codeNumbers(own, error, calls, hasCalls), make("em", null, `${isTarget ? "> " : ""}${address}`),
		make("span", null, words, ...callee === "" ? [] : [" ", make("i", null, `<${callee}>`)],
			...to < 0 ? [] : [" ", jumpButton(box, at, to)]));
}

// Source lines stand above their instructions, again where they go on.
function codeRows(box, code) {
	const hasCalls = code.rows.some((row) => row[4] > 0);
	const rows = [codeHead(hasCalls)];
	let at = 0;
	let before = "";

	for (const row of code.rows) {
		if (typeof row === "number") {
			rows.push(make("div", { class: "row gap" }, `\u2026 ${integer(row)} bytes of code without samples`));
			at += row;
			before = "";
			continue;
		}
		const [bytes, , , , , , , , file, line] = row;
		const name = line > 0 ? codeLineName(file, line) : "";

		if (name !== before && name !== "")
			rows.push(make("div", { class: "row line" }, make("span", null, name),
				make("span", null, ` ${codeLineText(file, line)}`)));
		rows.push(codeRow(box, code, at, row, hasCalls));
		before = name;
		at += bytes;
	}
	return rows;
}

// Why a function with time has none.
function codeMissing(f) {
	if (isInlined(f) || codes.size === 0 || self[f] === 0)
		return null;
	const left = self.filter((time, g) => time > 0 && !codes.has(g) && !isInlined(g)).length;

	return make("p", { class: "muted" }, `This page has the instructions of ${things(codes.size)} with most time; ` +
		`${things(left)} with ${measure}, this one too, are left out: gprof --source=NAME,asm shows them.`);
}

function codeOf(f) {
	const code = codes.get(f);

	if (!code)
		return codeMissing(f);
	const box = make("div", { class: "code", tabindex: 0, role: "group", "aria-label": "Instructions" });
	const notes = ["The clock finds the instruction that is about to run: what a slow one takes is often at the one ",
		"after it. ",
		profile.codeSpread > 1 ? `Samples were counted for each ${profile.codeSpread} bytes together. ` : "",
		code.outside > 0 ? `${spell(code.outside)} are at no instruction. ` : "",
		"> marks what a jump of the function leads to. Times include functions that were inlined.",
		profile.thread ? ` They are those of ${profile.thread.of}.` : ""];
	const fold = make("details", { class: "sheet source machine" },
		make("summary", null, `Instructions: ${integer(code.rows.filter(Array.isArray).length)}`), box,
		make("p", { class: "muted" }, notes.join("")));

	fold.addEventListener("toggle", () => {
		if (fold.open && box.childElementCount === 0)
			box.append(...codeRows(box, code));
	});
	return fold;
}
