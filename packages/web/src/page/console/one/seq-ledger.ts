/** What is wrong with the numbers that came. */
export interface SeqProblem {
	kind: "missing" | "repeated";
	from: number;
	to: number;
}

const MOST_PROBLEMS = 20;

/**
 * Keeps account of the numbers of events that were really received. A stretch of them, from a page or a
 * stream, must count up by one: what it leaves out is missing, what it brings again is repeated.
 */
export class SeqLedger {
	/** What was received: stretches in order, none of which touch. */
	#stretches: { from: number; to: number }[] = [];
	readonly problems: SeqProblem[] = [];

	/** Notes a number that has to come after `before`. Whether it did, exactly. */
	receive(seq: number, before: number): boolean {
		if (seq === before + 1) {
			this.#add(seq);
			return true;
		}
		if (seq <= before) this.#complain({ kind: "repeated", from: seq, to: seq });
		else {
			this.#complain({ kind: "missing", from: before + 1, to: seq - 1 });
			this.#add(seq);
		}
		return false;
	}

	/** Says that a stretch was read to its end, which must be `last`. */
	finish(before: number, last: number): void {
		if (before < last) this.#complain({ kind: "missing", from: before + 1, to: last });
	}

	/** How many of the numbers in a range were received. */
	countIn(first: number, last: number): number {
		let count = 0;
		for (const { from, to } of this.#stretches) {
			count += Math.max(0, Math.min(to, last) - Math.max(from, first) + 1);
		}
		return count;
	}

	#add(seq: number): void {
		const stretches = this.#stretches;
		// Nearly always the last one goes on.
		const end = stretches.at(-1);
		if (end?.to === seq - 1) {
			end.to = seq;
			return;
		}
		const at = stretches.findIndex(({ to }) => to >= seq - 1);
		const next = stretches[at];
		if (!next) stretches.push({ from: seq, to: seq });
		else if (seq >= next.from && seq <= next.to) return;
		else if (seq === next.to + 1) next.to = seq;
		else if (seq === next.from - 1) next.from = seq;
		else stretches.splice(at, 0, { from: seq, to: seq });
		this.#join(at);
	}

	#join(at: number): void {
		const [one, other] = [this.#stretches[at], this.#stretches[at + 1]];
		if (!one || !other || other.from > one.to + 1) return;
		one.to = Math.max(one.to, other.to);
		this.#stretches.splice(at + 1, 1);
	}

	#complain(problem: SeqProblem): void {
		const isKnown = this.problems.some(
			({ kind, from, to }) => kind === problem.kind && from === problem.from && to === problem.to,
		);
		if (!isKnown && this.problems.length < MOST_PROBLEMS) this.problems.push(problem);
	}
}
