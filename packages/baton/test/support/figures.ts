import type { Server } from "./baton";

type Labels = Record<string, string>;

/** What `/metrics` says now. A figure that is not there is 0, as it is for Prometheus' rates. */
class Figures {
	readonly #lines: string[];

	constructor(text: string) {
		this.#lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
	}

	/** The sum over all series of this name that have these labels. */
	of(name: string, labels: Labels = {}): number {
		const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
		return this.#lines
			.filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
			.filter((line) => wanted.every((label) => line.includes(label)))
			.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
	}
}

export async function figuresOf({ url }: Pick<Server, "url">): Promise<Figures> {
	const answer = await fetch(`${url}/metrics`);
	if (answer.status !== 200) throw new Error(`/metrics answered ${answer.status}`);
	return new Figures(await answer.text());
}
