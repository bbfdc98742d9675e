// SPDX-License-Identifier: GPL-3.0-or-later
// The view that explains the numbers and their assumptions.

const text = (words) => make("p", null, words);

function samplingNotes() {
	if (!profile.sampled)
		return [text("The data have no samples, so there are no times.")];
	if (profile.exact)
		return [text(!profile.timed ? `Events were counted, not time: ${measure}, each where it happened. ` +
			"They have no error of sampling."
			: profile.elapsed ? `Times are seconds${profile.elapsed}, measured by the clock: looks at all threads ` +
				"divide them among functions."
			: "Times are how long threads were blocked, measured by the clock: of each wait less than a period of it " +
				"is not seen, or too much.")];
	const every = profile.timed ? `every ${period()} of the program's time` : "now and then";

	return [
		text(`Time was sampled: ${every}, the runtime noted which function was running. ` +
			`There are ${plural(profile.ticks, "sample")}. Errors (±) are half of Wilson's intervals, which hold ` +
			`the true time in ${profile.level} % of runs, if samples fall regardless of what the program does. Of n ` +
			`samples, few of all, that is about ${profile.z.toFixed(1)} times the root of n: 100 samples are good to ` +
			`${percent(profile.z * 10, 0)}, 10,000 to ${percent(profile.z, 0)}, and a function without samples may ` +
			"have run."),
		text(profile.measured
			? "The total of a function is the time of all call stacks that it was on, each counted once."
			: "The total of a function is its own time with a share of that of what it calls."),
		...profile.waiting ? [text("Waiting was measured, by the clock: how long threads were blocked, each time to " +
			"less than a period. Threads wait at the same time, so it may be more than the program took. In the " +
			"flame graph it is beside time on the CPU; times and shares elsewhere are those on the CPU.")] : [],
	];
}

function callNotes() {
	if (!profile.counted)
		return [text(profile.measured ? "Calls were not counted: callers and callees have what was seen on call stacks."
			: "The data has no counts of calls, so nothing is known of callers.")];
	return [
		text("Calls were counted, not sampled, in functions that were compiled for it. Others have " +
			"samples but no calls, and what they call seems to have no caller."),
		text(profile.measured ? "Time is not divided by them: callers and callees have what was seen on call stacks. " +
			"A call seen there but not counted has 0 calls."
			: "Which call took how long was not measured. All calls of a function are taken to be alike: " +
			"its time is divided among its callers by their numbers of calls."),
	];
}

// How many samples have stacks of each quality; complete ones are always listed, others only if there are any.
function qualityParts() {
	const all = profile.quality.reduce((sum, n) => sum + n, 0);
	const part = (n) => Math.min(Math.max(n / all * 100, n > 0 ? 0.1 : 0), n < all ? 99.9 : 100);

	return ["complete", "guessed", "broken", "cut", "of unknown time"].map((word, i) => [word, profile.quality[i]])
		.filter(([, n], i) => all > 0 && (i === 0 || n > 0)).map(([word, n]) => `${percent(part(n))} ${word}`);
}

function measuredNotes() {
	const threads = profile.threads.length > 0
		? "The choice at the top is of the threads with most time; calls and times of lines are of all threads."
		: profile.nthreads > 1 ? "Too many paths were recorded to have those of each thread in this page: " +
			"gprof --thread-view=THREAD --export=webpage makes one of a thread." : null;

	return [
		make("h2", null, "Call stacks"),
		text(`With each sample, the runtime recorded which function had called which: ${qualityParts().join(", ")}. ` +
			"Of a guessed stack, a part was found by searching; of a broken one, the outer part is missing; of a " +
			"cut one, the middle or the inner end is."),
		...threads ? [text(threads)] : [],
	];
}

function stackNotes() {
	if (profile.measured)
		return measuredNotes();
	if (!profile.estimated)
		return [];
	return [
		make("h2", null, "Flame graph ", make("span", { class: "mark" }, "estimated from call counts")),
		text("No stack was ever seen: the profile knows pairs of caller and callee only. The graph follows " +
			"all paths through them and divides time by calls at each step; calls that lead back into a " +
			"path are left out and their time stays with the other calls. Functions that call each other in a " +
			"circle are one hatched frame: what goes on inside is not known. A path that it shows may never " +
			"have happened. Widths add up to the total of the flat profile."),
		text("Paths with less than a four-thousandth of the time are shown together as \u201csmaller\u201d; " +
			"those beyond the bounds of length and number as \u201cnot followed\u201d."),
	];
}

// The source files in the page, which everybody who gets the page can read.
function sourceNotes() {
	const held = [...new Set(profile.source.map(([file]) => profile.files[file]))];

	if (!held.length)
		return [text("No source text is in this page: none was found or may be shown, the program has no debug " +
			"information, or it was not wanted.")];
	return [
		text("Source text is what was found when this page was made; it may be newer than the program. Where a " +
			`function ends is guessed from the text. This page holds parts of ${plural(held.length, "file")}:`),
		make("ul", { class: "path" }, ...held.map((name) => make("li", null, name))),
	];
}

function showAbout() {
	const section = byId("about");
	const files = profile.data.length > 3
		? `${profile.data.slice(0, 3).join(", ")} and ${profile.data.length - 3} more` : profile.data.join(", ");

	if (section.childElementCount > 0)
		return;
	section.append(make("div", { class: "prose" },
		make("h2", null, "Where this comes from"),
		make("p", { class: "path" }, `${profile.program} with ${files}`),
		make("h2", null, Measure), ...samplingNotes(),
		make("h2", null, "Calls"), ...callNotes(),
		...stackNotes(),
		make("h2", null, "Source"),
		...sourceNotes(),
		make("h2", null, "Keys"),
		make("ul", null,
			make("li", null, make("kbd", null, "/"), " searches: all words must be there; ",
				make("kbd", null, "\"a b\""), " is one text, ", make("kbd", null, "/std::.*map/"),
				" a regular expression"),
			make("li", null, make("kbd", null, "\u2191"), " ", make("kbd", null, "\u2193"), " move, ",
				make("kbd", null, "Enter"), " opens; ", make("kbd", null, "Esc"), " leaves a function, ",
				make("kbd", null, "Backspace"), " goes back; ", make("kbd", null, "c"), " copies a function's name"),
			make("li", null, make("kbd", null, "1"), " to ", make("kbd", null, tabs.length), " choose a view, ",
				make("kbd", null, "t"), " light or dark"))));
}
