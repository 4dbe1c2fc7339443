import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** Makes figures of one registry. */
export class Makers {
	readonly #registers: [Registry];

	constructor(registry: Registry) {
		this.#registers = [registry];
	}

	counter<L extends string>(name: string, help: string, labelNames: L[] = []): Counter<L> {
		return new Counter({ name, help, labelNames, registers: this.#registers });
	}

	/** With `collect`, the value is looked up at each scrape. */
	gauge<L extends string>(
		name: string,
		help: string,
		labelNames: L[] = [],
		collect?: (gauge: Gauge<L>) => void | Promise<void>,
	): Gauge<L> {
		const registers = this.#registers;
		if (!collect) return new Gauge({ name, help, labelNames, registers });
		return new Gauge({
			name,
			help,
			labelNames,
			registers,
			collect() {
				return collect(this);
			},
		});
	}

	histogram<L extends string>(
		name: string,
		help: string,
		buckets: number[],
		labelNames: L[] = [],
	): Histogram<L> {
		return new Histogram({ name, help, labelNames, buckets, registers: this.#registers });
	}
}
