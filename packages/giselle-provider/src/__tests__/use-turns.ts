import { afterEach } from "vitest";
import { closeLiveConnections, type GiselleProviderOptions } from "../index";
import type { FakeAgentApiOptions, FakeRun, FakeStep } from "../testing";
import { ask, done, init, say } from "./steps";
import { openTurns, type TurnFixture } from "./turns";

/** A turn that asks for a snapshot in the middle of what it says. */
export const asking = function* (run: FakeRun): Generator<FakeStep> {
	yield init(run);
	yield* say("Let me see. ");
	yield ask("r1");
	yield* say("All done.");
	yield done;
};

/** A provider on a fake agent API for each test, closed after it. */
export function useTurns() {
	let open: TurnFixture | undefined;
	afterEach(async () => {
		await closeLiveConnections();
		await open?.close();
		open = undefined;
	});
	return {
		async openWith(fake: FakeAgentApiOptions, more: Partial<GiselleProviderOptions> = {}) {
			open = await openTurns(fake, more);
			return open;
		},
		/** Those of the fake server. */
		sessions: () => [...(open?.api.sessions.values() ?? [])],
		/** The bodies of every call of the run route so far. */
		runs: () =>
			(open?.api.calls ?? []).filter(({ path }) => path === "run").map(({ body }) => body),
	};
}
