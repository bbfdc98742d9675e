// SPDX-License-Identifier: GPL-3.0-or-later
// The differences between data files or threads: a row for each function, a column for each file, in warmer or cooler
// colours than the row's mean.

const ranks = profile.ranks;
const rankWord = () => (ranks.threads ? "thread" : "rank");

// The number of colours on each side of the mean; the last one is for twice the mean, or for 0.
const HEAT = 4;

// A difference that sampling alone hardly ever makes: three standard deviations.
const rankNoise = (mean) => (ranks.exact ? 0 : 3) * Math.sqrt(mean * profile.perTick * ranks.perSample);

function heatOf(time, mean) {
	const off = time - mean;

	if (mean === 0 || Math.abs(off) <= rankNoise(mean))
		return 0;
	return Math.sign(off) * Math.max(1, Math.round(Math.min(Math.abs(off) / mean, 1) * HEAT));
}

const rankName = ([f]) => (f >= 0 ? link(f) : f === -2 ? make("b", null, "All functions") : "[in no function]");

function rankLabel(column) {
	const [from, to] = [ranks.from[column], ranks.to[column]];

	return from === to ? `${rankWord()} ${from}` : `the longest of ${rankWord()}s ${from} to ${to}`;
}

const heatClass = (heat) => (heat > 0 ? `warm${heat}` : heat < 0 ? `cool${-heat}` : null);

// Adjacent columns of the same colour share an element.
function drawRanks([, , mean, , times]) {
	const strip = make("div", { class: "strip", "aria-hidden": "true" });
	const heat = times.map((time) => heatOf(time, mean));

	for (let from = 0, to = 0; from < times.length; from = to) {
		const piece = make("i", { class: heatClass(heat[from]) });

		while (to < times.length && heat[to] === heat[from])
			to++;
		piece.style.flexGrow = to - from;
		strip.append(piece);
	}
	return strip;
}

// The description of one rank in one row.
function tellRank(row, column) {
	const [f, , mean, , times] = row;
	const off = mean > 0 ? Math.round((times[column] - mean) / mean * 100) : 0;
	const name = f >= 0 ? profile.name[f] : f === -2 ? "all functions" : "no function";

	byId("rank-detail").textContent = `${rankLabel(column)}: ${spell(times[column])} in ${name}, ` +
		(off === 0 ? "as the mean"
			: `${integer(Math.abs(off))}\u202f% ${off > 0 ? "above" : "below"} the mean of ${spell(mean)}`) +
		(off !== 0 && heatOf(times[column], mean) === 0 ? ", which may be chance" : "");
}

// The cell that the arrow keys have selected.
const rankCursor = { row: 0, column: 0 };

function moveRank(event) {
	const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
	const step = steps[event.key];

	if (!step)
		return;
	event.preventDefault();
	rankCursor.row = Math.min(Math.max(rankCursor.row + step[0], 0), ranks.rows.length - 1);
	rankCursor.column = Math.min(Math.max(rankCursor.column + step[1], 0), ranks.from.length - 1);
	tellRank(ranks.rows[rankCursor.row], rankCursor.column);
}

function rankRow(row) {
	const [, uneven, mean, imbalance, times] = row;
	const map = make("td", { class: "map" }, drawRanks(row));
	const most = times.reduce((max, time) => Math.max(max, time), 0);

	map.addEventListener("pointermove", (event) => {
		const { left, width } = map.firstChild.getBoundingClientRect();
		const column = Math.floor((event.clientX - left) / width * times.length);

		tellRank(row, Math.min(Math.max(column, 0), times.length - 1));
	});
	return make("tr", null, make("td", { class: "text" }, rankName(row)), map, cell(spell(mean), "mean"),
		cell(spell(most)), cell(`${imbalance.toFixed(1)}${uneven ? "\u2009*" : ""}`, uneven ? "uneven" : "faint"));
}

function rankLegend() {
	const steps = [];

	for (let i = -HEAT; i <= HEAT; i++)
		steps.push(make("i", { class: heatClass(i) }));
	return make("p", { class: "legend muted" }, "nothing ", ...steps, " twice the mean or more");
}

const rankTimes = { off: ", waiting by the clock", attributed: profile.elapsed, wall: ", on the CPU and waiting",
	events: ", events" };

const rankHelp = () => `A column for each ${rankWord()}${ranks.each > 1 ? `, or for ${ranks.each} of them` : ""}; ` +
	`${ranks.inclusive ? "time with that of callees" : "self time"}${rankTimes[ranks.exact] ?? ""}. ` +
	(ranks.exact ? "Where ranks wait for one another, the one that waits least is waited for. "
		: "Where there is no colour, sampling explains the difference from the mean. ") +
	`Imbalance: 0 if all are alike, 100 if one has all${ranks.exact ? ""
		: "; * marks functions that are more uneven than sampling explains"}. Arrow keys move.`;

function showRanks() {
	const section = byId("ranks");
	const heads = ["<Function", `<${ranks.threads ? "Threads" : "Ranks"}`, "Mean", "Most", "Imbalance %"];
	const body = make("tbody", null, ...ranks.rows.map(rankRow));

	if (section.childElementCount > 0)
		return section.querySelector("h2");
	const table = make("table", { class: "heat", tabindex: "0" },
		make("caption", { class: "unseen" }, "Functions by what ranks differ by"),
		make("thead", null, make("tr", null, ...heads.map((head) =>
			make("th", { scope: "col", class: head.startsWith("<") ? "text" : null }, head.replace("<", ""))))), body);

	table.addEventListener("keydown", moveRank);
	section.append(make("h2", { tabindex: "-1" }, plural(ranks.n, rankWord())),
		make("p", { class: "muted" }, rankHelp()), rankLegend(),
		make("p", { id: "rank-detail", class: "detail", "aria-live": "polite" }), table);
	return section.querySelector("h2");
}
