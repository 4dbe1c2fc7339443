import type { CollectionDriver, StoredRecord } from "./driver";
import { checkLease, checkLeaseOptions, encodeOnce, encodeRecord, encodeStep } from "./encode-step";
import { BatonError } from "./errors";
import { findReset, followLog } from "./follow-log";
import type { Json, JsonObject } from "./json";
import { LIMITS } from "./limits";
import { decodeCursor, encodeCursor } from "./list-cursor";
import type {
	Appended,
	AppendOptions,
	Collection,
	CreateOptions,
	FollowBatch,
	FollowOptions,
	Lease,
	LeaseOptions,
	ListOptions,
	LogSlice,
	ReadOptions,
	RecordPage,
	SessionRecord,
	SessionState,
	UpdateOptions,
} from "./port";
import {
	checkDuration,
	checkId,
	checkInteger,
	checkName,
	checkText,
	encodeBatch,
} from "./validate";

const DEFAULT_SLICE = 1_000;
const DEFAULT_PAGE = 50;

/** The public face of a driver: checks and encodes what goes in, decodes what comes out (I9). */
export class DriverCollection<V extends JsonObject> implements Collection<V> {
	readonly name: string;
	readonly #driver: CollectionDriver;
	readonly #listed: boolean;

	constructor(name: string, driver: CollectionDriver, listed: boolean) {
		this.name = name;
		this.#driver = driver;
		this.#listed = listed;
	}

	async create(id: string, value: V, options: CreateOptions = {}): Promise<SessionRecord<V>> {
		checkId(id);
		const { group = "", ttlMs, createdAt = Date.now() } = options;
		const aliases = [...new Set(options.aliases)];
		checkText("group", group);
		checkAliases(aliases);
		checkInteger("createdAt", createdAt, 0, Number.MAX_SAFE_INTEGER);
		if (ttlMs !== undefined) checkDuration("A time to live", ttlMs);
		const json = encodeRecord(value);
		const record = { json, aliases, group, ttlMs: ttlMs ?? null, createdAt };
		return decodeRecord(await this.#driver.create(id, record));
	}

	async get(id: string): Promise<SessionRecord<V> | null> {
		checkId(id);
		return decodeIfAny(await this.#driver.get(id));
	}

	async find(alias: string): Promise<SessionRecord<V> | null> {
		checkText("alias", alias);
		return decodeIfAny(await this.#driver.find(alias));
	}

	async update(
		id: string,
		change: (value: V) => V,
		options: UpdateOptions = {},
	): Promise<SessionRecord<V>> {
		checkId(id);
		const add = [...new Set(options.addAliases)];
		const remove = [...new Set(options.removeAliases)];
		checkAliases(add);
		checkAliases(remove);
		const changeText = (json: string) => encodeRecord(change(JSON.parse(json) as V));
		return decodeRecord(await this.#driver.update(id, changeText, { add, remove }));
	}

	async delete(id: string): Promise<void> {
		checkId(id);
		await this.#driver.delete(id);
	}

	async list(options: ListOptions = {}): Promise<RecordPage<V>> {
		if (!this.#listed) {
			throw new BatonError("invalid", `The collection "${this.name}" is not listed.`);
		}
		const { group = "", limit = DEFAULT_PAGE, cursor } = options;
		checkText("group", group);
		checkInteger("A list limit", limit, 1, LIMITS.page);
		const after = cursor === undefined ? null : decodeCursor(cursor);
		const stored = await this.#driver.list(group, limit, after);
		const last = stored.at(-1);
		return {
			records: stored.map((record) => decodeRecord<V>(record)),
			cursor: last && stored.length === limit ? encodeCursor(last) : null,
		};
	}

	async increment(id: string, counter: string): Promise<number> {
		checkId(id);
		checkName("counter", counter);
		return this.#driver.increment(id, counter);
	}

	async append(
		id: string,
		log: string,
		events: readonly Json[],
		options: AppendOptions = {},
	): Promise<Appended> {
		checkLog(id, log);
		const step = encodeStep(id, options);
		const { once } = options;
		if (once) step.once = encodeOnce(once, [...events]);
		const appended = await this.#driver.append(id, log, encodeBatch(events), step);
		const { taken } = appended;
		if (!taken) return appended as Appended;
		return { ...appended, taken: { ...taken, record: decodeRecord(taken.record) } };
	}

	async read(id: string, log: string, options: ReadOptions = {}): Promise<LogSlice> {
		checkLog(id, log);
		const { after = 0, limit = DEFAULT_SLICE } = options;
		checkInteger("A cursor", after, 0, Number.MAX_SAFE_INTEGER);
		checkInteger("A read limit", limit, 1, LIMITS.readSlice);
		const { entries, first, last } = await this.#driver.read(id, log, after, limit);
		const reset = findReset({ entries, first, last }, after);
		if (!reset) return { entries, first, last, reset: null };
		const anew = await this.#driver.read(id, log, reset.first - 1, limit);
		const kept = Math.max(reset.first, anew.first);
		const { reason } = reset;
		return { entries: anew.entries, first: kept, last: anew.last, reset: { reason, first: kept } };
	}

	async tail(id: string, log: string, count: number): Promise<LogSlice> {
		checkLog(id, log);
		checkInteger("A tail count", count, 1, LIMITS.readSlice);
		return { ...(await this.#driver.tail(id, log, count)), reset: null };
	}

	follow(id: string, log: string, options: FollowOptions = {}): AsyncIterable<FollowBatch> {
		checkLog(id, log);
		const { after = 0, limit = DEFAULT_SLICE, signal, fresh = false, omit } = options;
		checkInteger("A cursor", after, 0, Number.MAX_SAFE_INTEGER);
		checkInteger("A follow limit", limit, 1, LIMITS.readSlice);
		return followLog(this.#driver, id, log, {
			after,
			limit,
			fresh,
			omit,
			...(signal && { signal }),
		});
	}

	expect(id: string, log: string): void {
		checkLog(id, log);
		this.#driver.expect?.(id, log);
	}

	async trim(id: string, log: string, firstKept: number): Promise<void> {
		checkLog(id, log);
		checkInteger("The first kept seq", firstKept, 1, Number.MAX_SAFE_INTEGER);
		await this.#driver.trim(id, log, firstKept);
	}

	async state(id: string, log: string): Promise<SessionState> {
		checkLog(id, log);
		return this.#driver.state(id, log);
	}

	async takeLease(id: string, options: LeaseOptions): Promise<Lease | null> {
		checkId(id);
		checkLeaseOptions(options);
		return this.#driver.takeLease(id, { holder: options.holder, ttlMs: options.ttlMs });
	}

	async renewLease(lease: Lease, ttlMs: number = lease.ttlMs): Promise<void> {
		checkLease(lease);
		checkDuration("A lease", ttlMs);
		await this.#driver.renewLease(lease, ttlMs);
	}

	async releaseLease(lease: Lease): Promise<void> {
		checkLease(lease);
		await this.#driver.releaseLease(lease);
	}

	async setAlarm(id: string, inMs: number): Promise<void> {
		checkId(id);
		checkDuration("An alarm", inMs);
		await this.#driver.setAlarm(id, inMs);
	}

	async postponeAlarm(
		id: string,
		log: string,
		last: number,
		inMs: number | null,
	): Promise<boolean> {
		checkLog(id, log);
		checkInteger("The last seq", last, 0, Number.MAX_SAFE_INTEGER);
		if (inMs !== null) checkDuration("An alarm", inMs);
		return this.#driver.postponeAlarm(id, log, last, inMs);
	}

	async clearAlarm(id: string): Promise<void> {
		checkId(id);
		await this.#driver.clearAlarm(id);
	}

	async dueAlarms(limit: number): Promise<string[]> {
		checkInteger("An alarm limit", limit, 1, LIMITS.page);
		return this.#driver.dueAlarms(limit);
	}
}

function checkLog(id: string, log: string): void {
	checkId(id);
	checkName("log", log);
}

function checkAliases(aliases: readonly string[]): void {
	for (const alias of aliases) checkText("alias", alias);
	if (aliases.length > LIMITS.aliases) {
		throw new BatonError("too_large", `A record has at most ${LIMITS.aliases} aliases.`);
	}
}

function decodeRecord<V extends JsonObject>(stored: StoredRecord): SessionRecord<V> {
	const { json, ...rest } = stored;
	return { ...rest, aliases: [...stored.aliases], value: JSON.parse(json) as V };
}

function decodeIfAny<V extends JsonObject>(stored: StoredRecord | null): SessionRecord<V> | null {
	return stored && decodeRecord<V>(stored);
}
