import { type ErrorCode, type FollowBatch, isBatonError } from "@baton/session";
import type { StoreCall, StoreObserver } from "../observe/observe-store";
import type { LeaseFigures } from "./lease-figures";
import type { Makers } from "./makers";
import type { RequestFigures } from "./request-figures";
import type { TurnFigures } from "./turn-figures";

/** Refusals that are answers to the caller, and say nothing about how the store is. */
const ANSWERS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
	"invalid",
	"too_large",
	"not_found",
	"already_exists",
	"conflict",
	"busy",
	"lease_lost",
	"closed",
]);

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10];

/** Times every call, counts what failed, and hands what was written to the figures of turns. */
export function createStoreFigures(
	make: Makers,
	turns: TurnFigures,
	leases: LeaseFigures,
	requests: RequestFigures,
): StoreObserver {
	const seconds = make.histogram(
		"baton_store_seconds",
		"How long calls to the store took.",
		SECONDS,
		["method"],
	);
	const errors = make.counter(
		"baton_store_errors_total",
		"Calls to the store that failed, other than refusals of what was asked.",
		["method", "code"],
	);
	return {
		async around<T>(call: StoreCall, work: () => Promise<T>): Promise<T> {
			const { method } = call;
			const begin = performance.now();
			try {
				const result = await work();
				// The end of a turn first: the same append may give its lease up.
				if (method === "append") turns.appended(call.args, result);
				leases.called(call, result, begin);
				return result;
			} catch (error) {
				leases.failed(call, error);
				const code = isBatonError(error) ? error.code : "other";
				if (code === "other" || !ANSWERS.has(code)) errors.inc({ method, code });
				throw error;
			} finally {
				seconds.observe({ method }, (performance.now() - begin) / 1_000);
			}
		},
		followed: (sessionId: string, { entries }: FollowBatch) => requests.saw(sessionId, entries),
	};
}
