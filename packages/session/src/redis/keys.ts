import type { CollectionKeys } from "../driver";

/**
 * Names of a collection's keys. A record is at the name that its users know; what must change in one
 * step with it carries the record's key as its hash tag. "#" and ":" cannot occur in an id, so no
 * record is ever named like an index.
 */
export class Keys {
	readonly #record: string;
	readonly #alias: string;
	/** Whether there is an index of the records. */
	readonly listed: boolean;

	constructor(prefix: string, { recordKey, aliasKey, listed }: CollectionKeys) {
		this.listed = listed;
		this.#record = `${prefix}${recordKey}`;
		this.#alias = `${prefix}${aliasKey}`;
	}

	record(id: string): string {
		return `${this.#record}:${id}`;
	}

	state(id: string): string {
		return `{${this.record(id)}}:state`;
	}

	once(id: string): string {
		return `{${this.record(id)}}:once`;
	}

	/** Written by readers that wait for replicas. Holds nothing, and not for long. */
	seen(id: string): string {
		return `{${this.record(id)}}:seen`;
	}

	/** The stream of a log, and the channel on which its appends are announced. */
	log(id: string, name: string): string {
		return `{${this.record(id)}}:log:${name}`;
	}

	alias(alias: string): string {
		return `${this.#alias}:${alias}`;
	}

	index(group: string): string {
		return `${this.#record}:#index:${group}`;
	}

	get alarms(): string {
		return `${this.#record}:#alarms`;
	}
}
