/*
 * While a snapshot is taken nothing else runs, so what was found out about an element stays true: the
 * sections around a field are asked about once, not once for each field in them.
 */

let taking = false;
const forget = new Set<() => void>();

/** Remembers answers about elements while a snapshot is taken; asks anew at any other time. */
export function perSnapshot<Answer>(
	ask: (element: Element) => Answer,
): (element: Element) => Answer {
	const known = new Map<Element, Answer>();
	forget.add(() => known.clear());
	return (element) => {
		if (!taking) return ask(element);
		let answer = known.get(element);
		if (answer === undefined) {
			answer = ask(element);
			known.set(element, answer);
		}
		return answer;
	};
}

export function whileTaking<Result>(work: () => Result): Result {
	taking = true;
	try {
		return work();
	} finally {
		taking = false;
		for (const clear of forget) clear();
	}
}
