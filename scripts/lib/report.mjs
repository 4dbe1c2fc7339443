const colours = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (/** @type {number} */ code, /** @type {string} */ text) =>
	colours ? `\x1b[${code}m${text}\x1b[0m` : text;

const MARKS = { passed: paint(32, "✓"), failed: paint(31, "✗"), skipped: paint(33, "○") };

/**
 * @typedef {object} Outcome
 * @property {"passed" | "failed" | "skipped"} status
 * @property {string} [note] a few words beside the name
 * @property {string} [output] shown in full below a step that did not pass
 */

/**
 * Does one step and prints one line for it.
 *
 * @param {string} name
 * @param {() => Promise<Outcome>} work
 */
export async function step(name, work) {
	if (process.stdout.isTTY) process.stdout.write(`  … ${name}`);
	const done = await perform(name, work);
	if (process.stdout.isTTY) process.stdout.write("\r\x1b[2K");
	return show(done);
}

/**
 * Does one step and prints nothing: `show` does, when the terminal is free.
 *
 * @param {string} name
 * @param {() => Promise<Outcome>} work
 */
export async function perform(name, work) {
	const start = performance.now();
	const outcome = await work().catch((error) => ({
		status: /** @type {const} */ ("failed"),
		note: undefined,
		output: error.message,
	}));
	return { name, ms: performance.now() - start, ...outcome };
}

/** @param {Awaited<ReturnType<typeof perform>>} done */
export function show(done) {
	const seconds = `${(done.ms / 1000).toFixed(1)} s`;
	const note = done.note ? `  ${paint(2, done.note)}` : "";
	console.log(`  ${MARKS[done.status]} ${done.name.padEnd(24)} ${seconds.padStart(8)}${note}`);
	if (done.status !== "passed" && done.output) console.log(`\n${done.output.trimEnd()}\n`);
	return done;
}
