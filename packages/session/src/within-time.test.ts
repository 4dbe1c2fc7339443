import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { isTimeout, withinTime } from "./within-time";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const untilAborted = (signal: AbortSignal) =>
	new Promise<never>((_, reject) => {
		signal.addEventListener("abort", () => reject(signal.reason));
	});

describe("withinTime", () => {
	it("ends work whose time is over, however often garbage is collected meanwhile", async () => {
		const collecting = setInterval(collectGarbage, 10);
		const caller = new AbortController();
		const error = await withinTime(300, caller.signal, untilAborted).catch((e: unknown) => e);
		clearInterval(collecting);
		expect(isTimeout(error)).toBe(true);
	});

	it("ends work with its caller's signal, and with its reason", async () => {
		const caller = new AbortController();
		const work = withinTime(60_000, caller.signal, untilAborted);
		caller.abort(new Error("No longer wanted."));
		await expect(work).rejects.toThrow("No longer wanted.");
		await expect(
			withinTime(60_000, caller.signal, async (s) => s.throwIfAborted()),
		).rejects.toThrow("No longer wanted.");
	});

	it("leaves no listener behind, whether work succeeds or fails", async () => {
		const caller = new AbortController();
		expect(await withinTime(60_000, caller.signal, async () => 1)).toBe(1);
		await withinTime(60_000, caller.signal, async () => Promise.reject(new Error())).catch(
			() => {},
		);
		expect(getEventListeners(caller.signal, "abort")).toEqual([]);
	});
});
