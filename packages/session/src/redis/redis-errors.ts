import { BatonError } from "../errors";

/** A line about an error of the client, which may wrap the one that tells. */
export function describeError(error: Error & { code?: string; lastNodeError?: Error }): string {
	const inner = error.lastNodeError ?? error;
	const errors = (inner as AggregateError).errors as Error[] | undefined;
	return (
		inner.message || errors?.[0]?.message || (inner as { code?: string }).code || String(inner)
	);
}

/** What a failure of Redis means for the operation that met it. */
type Failure =
	/** Nobody knows whether it was carried out: send it again under the same number. */
	{ kind: "retry"; error: BatonError; reconnect: boolean } | { kind: "fail"; error: BatonError };

/** Answers by which a server says that it will serve again soon. */
const PASSING = /^(LOADING|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|NOREPLICAS|BUSY|UNBLOCKED)\b/;

/** What the client says while it has no connection that is ready. */
const AWAY = /isn't writeable|Connection is closed|Command aborted due to connection close/;

/** `trouble` is what the connection met last, or "" while it met nothing. */
export function classifyFailure(cause: Error, shown: string, trouble: string): Failure {
	const said = AWAY.test(cause.message)
		? `no connection (${trouble || "it may be loading its data"})`
		: cause.message;
	const make = (code: ConstructorParameters<typeof BatonError>[0], advice: string) =>
		new BatonError(code, `Redis at ${shown}: ${said}. ${advice}`, { cause });
	if (said.startsWith("OOM")) {
		const advice = "It is full: raise maxmemory or let sessions expire; nothing was written.";
		return { kind: "fail", error: make("store_full", advice) };
	}
	if (said.startsWith("MISCONF")) {
		const advice = "It cannot save to its disk; see its log. Nothing was written.";
		return { kind: "fail", error: make("read_only", advice) };
	}
	if (said.startsWith("READONLY")) {
		const advice =
			"This server is a replica; point the address at the master, or at the Sentinels.";
		return { kind: "retry", error: make("read_only", advice), reconnect: false };
	}
	if (said.startsWith("WRONGTYPE") || said.startsWith("CROSSSLOT")) {
		const advice = "A key of Baton's holds something else; give Baton a prefix of its own.";
		return { kind: "fail", error: make("corrupt", advice) };
	}
	if (/^(NOAUTH|WRONGPASS|NOPERM)\b/.test(said)) {
		return { kind: "fail", error: make("unavailable", "Correct the user and password.") };
	}
	const isReply = cause.name === "ReplyError";
	if (isReply && !PASSING.test(said)) {
		return {
			kind: "fail",
			error: make("corrupt", "This is an answer that Baton does not expect."),
		};
	}
	const advice = "Whether it was carried out is unknown; read before you try again.";
	return {
		kind: "retry",
		error: make("unavailable", advice),
		reconnect: said.startsWith("Command timed out"),
	};
}
