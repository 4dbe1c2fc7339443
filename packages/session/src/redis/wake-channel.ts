import { Cluster, type Redis } from "ioredis";
import type { Recent, Wake } from "../driver";
import { RecentLines } from "./recent-lines";

type Listener = (wake: Wake) => void;

/** A log that is followed here, or is about to be. */
interface Channel {
	readonly listeners: Set<Listener>;
	readonly recent: RecentLines;
	/** Whether the server has confirmed the subscription: what is appended from then on is heard. */
	isLive: boolean;
	/** Resolves when it has, or could not. */
	live: Promise<void>;
	/** When its last listener left. */
	idleSince: number;
}

/** A channel without listeners is kept this long, for those who come right after. */
const LINGER_MS = 1_000;

/**
 * Announcements of appends, for all followers of this process, over one subscriber connection.
 * Whenever that connection was away, every follower is told to look again and to verify its place.
 */
export class WakeChannel {
	readonly #subscriber: Redis | Cluster;
	readonly #channels = new Map<string, Channel>();
	readonly #heartbeat: NodeJS.Timeout | undefined;
	#asked: string[] = [];
	#asking: Promise<void> | null = null;
	#tidying: NodeJS.Timeout | undefined;
	#closed = false;

	/**
	 * `writer` names this process: what it appends itself is told by `appended`. `heartbeatMs` is how
	 * long the connection may leave a ping unanswered before it is given up. `believesEvents`: events
	 * that are announced are taken as they are; otherwise they are read.
	 */
	constructor(
		subscriber: Redis | Cluster,
		writer: string,
		{ heartbeatMs, believesEvents }: { heartbeatMs: number; believesEvents: boolean },
	) {
		this.#subscriber = subscriber;
		if (!(subscriber instanceof Cluster)) this.#heartbeat = keepAlive(subscriber, heartbeatMs);
		subscriber.on("message", (name: string, message: string) => {
			const channel = this.#channels.get(name);
			if (!channel || message.startsWith(`${writer}.`)) return;
			tell(channel, believesEvents ? parseWake(message) : {}, true);
		});
		const returns = subscriber instanceof Cluster ? ["+subnode", "+node", "-node"] : ["ready"];
		for (const event of returns) subscriber.on(event, () => this.#resubscribe());
	}

	watch(name: string, listener: Listener): () => void {
		const channel = this.#open(name);
		channel.listeners.add(listener);
		return () => {
			channel.listeners.delete(listener);
			this.#idle(channel);
		};
	}

	/** Someone will watch soon. */
	expect(name: string): void {
		this.#idle(this.#open(name));
	}

	/** Whether everything that is appended from now on is heard here. */
	isLive(name: string): boolean {
		return this.#channels.get(name)?.isLive ?? false;
	}

	/** Resolves when what is appended is heard, or cannot be. */
	async live(name: string): Promise<void> {
		await this.#channels.get(name)?.live;
	}

	/** What comes after the cursor up to the end of the log, if that is known. */
	recent(name: string, cursor: number): Recent | null {
		return this.#channels.get(name)?.recent.after(cursor) ?? null;
	}

	/**
	 * This process has appended: those who follow here need not wait for the server to say so.
	 * `wasLive`: the channel was live before the append was sent.
	 */
	appended(name: string, wake: Wake, wasLive: boolean): void {
		const channel = this.#channels.get(name);
		if (channel) tell(channel, wake, wasLive);
	}

	/** Number of channels with a follower, for tests and metrics. */
	get size(): number {
		return this.#channels.size;
	}

	close(): void {
		this.#closed = true;
		clearInterval(this.#heartbeat);
		clearTimeout(this.#tidying);
		for (const channel of this.#channels.values()) tell(channel, {}, false);
	}

	#open(name: string): Channel {
		const known = this.#channels.get(name);
		if (known) return known;
		const channel: Channel = {
			listeners: new Set(),
			recent: new RecentLines(),
			isLive: false,
			live: Promise.resolve(),
			idleSince: 0,
		};
		this.#channels.set(name, channel);
		channel.live = this.#subscribeSoon(name);
		return channel;
	}

	/** What is asked for in one turn of the event loop is asked for in one go. */
	#subscribeSoon(name: string): Promise<void> {
		this.#asked.push(name);
		this.#asking ??= new Promise((resolve) => {
			setImmediate(() => {
				const names = this.#asked.filter((asked) => this.#channels.has(asked));
				this.#asked = [];
				this.#asking = null;
				resolve(this.#subscribe(names, {}));
			});
		});
		return this.#asking;
	}

	#resubscribe(): void {
		const names = [...this.#channels.keys()];
		for (let i = 0; i < names.length; i += 500) {
			void this.#subscribe(names.slice(i, i + 500), { verify: true });
		}
	}

	/** A failed subscription needs no answer: the connection is away, and comes back to resubscribe. */
	#subscribe(names: string[], wake: Wake): Promise<void> {
		if (this.#closed || names.length === 0) return Promise.resolve();
		const channels = names.map((name) => this.#channels.get(name) as Channel);
		const live = this.#subscriber.subscribe(...names).then(() => {
			for (const channel of channels) {
				channel.isLive = true;
				tell(channel, wake, false);
			}
		}, ignore);
		for (const channel of channels) {
			channel.isLive = false;
			channel.live = live;
		}
		return live;
	}

	#idle(channel: Channel): void {
		if (channel.listeners.size > 0) return;
		channel.idleSince = performance.now();
		this.#tidying ??= setTimeout(() => this.#tidy(), LINGER_MS).unref();
	}

	/** Gives up what nobody has come for, in one go. */
	#tidy(): void {
		this.#tidying = undefined;
		if (this.#closed) return;
		const now = performance.now();
		const left: string[] = [];
		let isIdle = false;
		for (const [name, { listeners, idleSince }] of this.#channels) {
			if (listeners.size > 0) continue;
			if (now - idleSince >= LINGER_MS) left.push(name);
			else isIdle = true;
		}
		for (const name of left) this.#channels.delete(name);
		for (let i = 0; i < left.length; i += 500) {
			this.#subscriber.unsubscribe(...left.slice(i, i + 500)).catch(ignore);
		}
		if (isIdle) this.#tidying = setTimeout(() => this.#tidy(), LINGER_MS).unref();
	}
}

function tell({ listeners, recent }: Channel, wake: Wake, mayBegin: boolean): void {
	recent.put(wake, mayBegin);
	for (const listener of listeners) listener(wake);
}

/**
 * A server that hangs keeps its connections, and a subscriber that only listens never learns it;
 * Sentinel may have another master by then.
 */
function keepAlive(subscriber: Redis, everyMs: number): NodeJS.Timeout {
	let alive = true;
	const heard = () => {
		alive = true;
	};
	subscriber.on("connect", heard);
	return setInterval(() => {
		const connected = subscriber.status === "ready" || subscriber.status === "connect";
		if (connected && !alive) subscriber.disconnect(true);
		alive = false;
		subscriber.ping().then(heard, ignore);
	}, everyMs).unref();
}

/** "<epoch>\n<first seq>\n<mark>\n<event>\n<event>…", or without events: read again. */
function parseWake(message: string): Wake {
	if (message === "" || message.endsWith("\n")) return {};
	const lines = message.split("\n");
	const [epoch, first, mark] = lines as [string, string, string];
	return { epoch, pushed: { first: Number(first), mark, lines: lines.slice(3) } };
}

function ignore(): void {}
