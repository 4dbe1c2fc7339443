import { Cluster, type Redis } from "ioredis";
import type { Wake } from "../driver";
import { Wakeups } from "../local/wakeups";

type Listener = (wake: Wake) => void;

/**
 * Announcements of appends, for all followers of this process, over one subscriber connection.
 * Whenever that connection was away, every follower is told to look again and to verify its place.
 */
export class WakeChannel {
	readonly #subscriber: Redis | Cluster;
	readonly #wakeups = new Wakeups();
	readonly #wanted = new Map<string, number>();
	readonly #heartbeat: NodeJS.Timeout | undefined;
	#closed = false;

	/** `heartbeatMs` is how long the connection may leave a ping unanswered before it is given up. */
	constructor(subscriber: Redis | Cluster, heartbeatMs: number) {
		this.#subscriber = subscriber;
		if (!(subscriber instanceof Cluster)) this.#heartbeat = keepAlive(subscriber, heartbeatMs);
		subscriber.on("message", (channel: string, message: string) => {
			this.#wakeups.wake(channel, parseWake(message));
		});
		const returns = subscriber instanceof Cluster ? ["+subnode", "+node", "-node"] : ["ready"];
		for (const event of returns) subscriber.on(event, () => this.#resubscribe());
	}

	watch(channel: string, listener: Listener): () => void {
		const unwatch = this.#wakeups.watch(channel, listener);
		const watchers = this.#wanted.get(channel) ?? 0;
		this.#wanted.set(channel, watchers + 1);
		if (watchers === 0) this.#subscribe([channel], {});
		return () => {
			unwatch();
			const left = (this.#wanted.get(channel) ?? 1) - 1;
			if (left > 0) {
				this.#wanted.set(channel, left);
				return;
			}
			this.#wanted.delete(channel);
			if (!this.#closed) this.#subscriber.unsubscribe(channel).catch(ignore);
		};
	}

	/** Number of channels with a follower, for tests and metrics. */
	get size(): number {
		return this.#wanted.size;
	}

	close(): void {
		this.#closed = true;
		clearInterval(this.#heartbeat);
		this.#wakeups.wakeAll({});
	}

	#resubscribe(): void {
		const channels = [...this.#wanted.keys()];
		for (let i = 0; i < channels.length; i += 500) {
			this.#subscribe(channels.slice(i, i + 500), { verify: true });
		}
	}

	/** A failed subscription needs no answer: the connection is away, and comes back to resubscribe. */
	#subscribe(channels: string[], wake: Wake): void {
		if (this.#closed || channels.length === 0) return;
		this.#subscriber.subscribe(...channels).then(() => {
			for (const channel of channels) this.#wakeups.wake(channel, wake);
		}, ignore);
	}
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

/** "<epoch>\n<first seq>\n<mark>\n<event>\n<event>…", or nothing: read again. */
function parseWake(message: string): Wake {
	if (message === "") return {};
	const lines = message.split("\n");
	const [epoch, first, mark] = lines as [string, string, string];
	return { epoch, pushed: { first: Number(first), mark, lines: lines.slice(3) } };
}

function ignore(): void {}
