// A store of your own, to begin from: everything is in Maps here, and would be in your database
// there. It keeps each invariant of the port, as the contract suite shows (test/custom-store.test.ts).
// `createStore` checks and encodes what goes in, and makes followers of `read` and `watch`; a driver
// gets valid names and JSON text.
import { BatonError, createStore, LogEntry } from "@baton/session";

export function openMapStore() {
	const collections = [];
	return createStore({
		name: "map",
		collection() {
			const collection = new MapCollection();
			collections.push(collection);
			return collection;
		},
		check: async () => {},
		close: async () => {
			for (const collection of collections) collection.close();
		},
	});
}

const fail = (code, message) => {
	throw new BatonError(code, message);
};

/** No method awaits anything, so each is atomic: with a database, each is one transaction. */
class MapCollection {
	/** How often a follower looks for itself. Here no wake-up is ever missed. */
	pollMs = 30_000;
	sessions = new Map();
	watchers = new Set();
	isClosed = false;

	close() {
		this.isClosed = true;
		this.wake();
	}

	// Records

	async create(id, record) {
		if (this.live(id)) fail("already_exists", `There is a session "${id}" already.`);
		this.claim(id, record.aliases);
		const session = { logs: {}, counters: {}, registers: {}, results: new Map(), token: 0 };
		session.record = { ...record, id, version: 1, updatedAt: record.createdAt };
		this.sessions.set(id, session);
		return this.touched(session).record;
	}

	async get(id) {
		return this.live(id)?.record ?? null;
	}

	async find(alias) {
		return this.all().find(({ record }) => record.aliases.includes(alias))?.record ?? null;
	}

	async update(id, change, { add, remove }) {
		const session = this.session(id);
		const { record } = session;
		const json = change(record.json);
		this.claim(id, add);
		const kept = record.aliases.filter((alias) => !remove.includes(alias));
		const aliases = [...new Set([...kept, ...add])];
		const version = record.version + 1;
		session.record = { ...record, json, aliases, version, updatedAt: Date.now() };
		return this.touched(session).record;
	}

	async delete(id) {
		this.sessions.delete(id);
		this.wake();
	}

	async list(group, limit, after) {
		const byId = (a, b) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0);
		const newestFirst = (a, b) => b.createdAt - a.createdAt || byId(a, b);
		return this.all()
			.map(({ record }) => record)
			.filter((record) => record.group === group && (!after || newestFirst(after, record) < 0))
			.sort(newestFirst)
			.slice(0, limit);
	}

	async increment(id, counter) {
		const session = this.session(id);
		session.counters[counter] = (session.counters[counter] ?? 0) + 1;
		return this.touched(session).counters[counter];
	}

	// Logs

	/** The conditions first, then all that is to happen in this one step. */
	async append(id, name, lines, { lease, once, swap, ifLast, ...step }) {
		const session = this.session(id);
		const earlier = once && session.results.get(once.key);
		if (earlier && earlier.digest !== once.digest) {
			fail("conflict", `The key "${once.key}" was used with another body.`);
		}
		if (earlier) return { ...earlier.appended, repeated: true };
		if (lease) this.held(lease);
		if (ifLast !== undefined && this.last(session, name) !== ifLast) {
			fail("conflict", `The log "${name}" does not end at ${ifLast}.`);
		}
		if (swap) {
			const found = session.registers[swap.register] ?? null;
			if (found !== swap.from) fail("conflict", `Register "${swap.register}" is ${found}.`);
			if (swap.to === null) delete session.registers[swap.register];
			else session.registers[swap.register] = swap.to;
		}
		if (step.alarmMs !== undefined) session.alarm = Date.now() + step.alarmMs;
		for (const row of step.before ?? []) this.add(session, row.log, [row.line], row.once);
		const appended = this.add(session, name, lines, once);
		for (const row of step.after ?? []) this.add(session, row.log, [row.line], row.once);
		const settled = step.settle && this.settle(session, step.settle);
		const taken = step.takeLease && this.take(session, step.takeLease);
		const { record, registers } = this.touched(session);
		return {
			...appended,
			repeated: false,
			...settled,
			...(taken && { taken: { lease: taken, record, registers: { ...registers } } }),
		};
	}

	async read(id, name, after, limit) {
		const { first } = this.log(this.session(id), name);
		const start = Math.max(after - first + 1, 0);
		return this.slice(id, name, start, start + limit);
	}

	async tail(id, name, count) {
		const { length } = this.log(this.session(id), name).lines;
		return this.slice(id, name, Math.max(length - count, 0), length);
	}

	async trim(id, name, firstKept) {
		const session = this.session(id);
		const log = this.log(session, name);
		const dropped = Math.min(Math.max(firstKept - log.first, 0), log.lines.length);
		log.lines.splice(0, dropped);
		log.first += dropped;
		this.touched(session);
	}

	async state(id, name) {
		const session = this.session(id);
		const { registers } = session;
		const [{ first }, last] = [this.log(session, name), this.last(session, name)];
		return { first, last, registers: { ...registers }, lease: this.leaseOf(session) };
	}

	watch(id, name, listener) {
		const watcher = { log: `${id}/${name}`, listener };
		this.watchers.add(watcher);
		return () => this.watchers.delete(watcher);
	}

	// The lease: one holder at a time, by the clock of this store

	async takeLease(id, options) {
		return this.take(this.session(id), options);
	}

	async renewLease(lease, ttlMs) {
		const session = this.held(lease);
		session.lease.until = Date.now() + ttlMs;
		this.touched(session);
	}

	async releaseLease(lease) {
		const session = this.live(lease.id);
		if (session?.lease?.token !== lease.token) return;
		session.lease = null;
		this.touched(session);
	}

	// Alarms

	async setAlarm(id, inMs) {
		this.session(id).alarm = Date.now() + inMs;
	}

	/** Only while the log ends where the caller has read it to. */
	async postponeAlarm(id, name, last, inMs) {
		const session = this.session(id);
		if (this.last(session, name) !== last) return false;
		session.alarm = inMs === null ? undefined : Date.now() + inMs;
		return true;
	}

	async clearAlarm(id) {
		const session = this.live(id);
		if (session) session.alarm = undefined;
	}

	async dueAlarms(limit) {
		return this.all()
			.filter(({ alarm }) => alarm <= Date.now())
			.sort((a, b) => a.alarm - b.alarm)
			.slice(0, limit)
			.map(({ record }) => record.id);
	}

	// What they are made of

	/** Every write renews the time to live. */
	touched(session) {
		const { ttlMs } = session.record;
		if (ttlMs !== null) session.until = Date.now() + ttlMs;
		return session;
	}

	live(id) {
		if (this.isClosed) fail("closed", "The store was closed.");
		const session = this.sessions.get(id) ?? null;
		if (!session || !(session.until <= Date.now())) return session;
		this.sessions.delete(id);
		return null;
	}

	session(id) {
		return this.live(id) ?? fail("not_found", `There is no session "${id}".`);
	}

	all() {
		return [...this.sessions.keys()].flatMap((id) => this.live(id) ?? []);
	}

	claim(id, aliases) {
		const others = this.all().filter(({ record }) => record.id !== id);
		const taken = aliases.find((one) => others.some(({ record }) => record.aliases.includes(one)));
		if (taken !== undefined) fail("already_exists", `The alias "${taken}" is in use.`);
	}

	log(session, name) {
		session.logs[name] ??= { first: 1, lines: [] };
		return session.logs[name];
	}

	last(session, name) {
		const { first, lines } = this.log(session, name);
		return first + lines.length - 1;
	}

	/** Events whose key was used before are there already. */
	add(session, name, lines, once) {
		if (once && session.results.has(once.key)) return null;
		const first = this.last(session, name) + 1;
		const appended = { first, last: first + lines.length - 1 };
		this.log(session, name).lines.push(...lines);
		if (once) session.results.set(once.key, { digest: once.digest, appended });
		this.wake(`${session.record.id}/${name}`);
		return appended;
	}

	/** The work is done: the record is told, unless it has changed since, and the lease is free. */
	settle(session, { version, json, alarmMs }) {
		const { record } = session;
		const recordChanged = record.version !== version;
		if (!recordChanged) {
			session.record = { ...record, json, version: version + 1, updatedAt: Date.now() };
		}
		session.alarm = Date.now() + alarmMs;
		session.lease = null;
		return { recordChanged };
	}

	take(session, { holder, ttlMs }) {
		if (this.leaseOf(session)) return null;
		// Begins with the time: a lease of a deleted session is none of another with its id.
		session.token = session.token === 0 ? Date.now() : session.token + 1;
		session.lease = { holder, token: session.token, until: Date.now() + ttlMs };
		const { id } = this.touched(session).record;
		return { id, holder, token: session.token, ttlMs };
	}

	slice(id, name, start, end) {
		const { first, lines } = this.log(this.session(id), name);
		const entries = lines.slice(start, end).map((line, i) => new LogEntry(first + start + i, line));
		return { entries, first, last: first + lines.length - 1 };
	}

	leaseOf({ lease }) {
		if (!lease || lease.until <= Date.now()) return null;
		return { holder: lease.holder, token: lease.token, remainingMs: lease.until - Date.now() };
	}

	held(lease) {
		const session = this.session(lease.id);
		if (this.leaseOf(session)?.token === lease.token) return session;
		fail("lease_lost", `The lease on "${lease.id}" is no longer this one.`);
	}

	/** Without a log: everybody. */
	wake(log) {
		for (const one of this.watchers) if (log === undefined || one.log === log) one.listener({});
	}
}
