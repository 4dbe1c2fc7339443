import { describe, expect, it } from "vitest";
import { waitFor } from "../src";

describe("waitFor", () => {
	it("returns the first truthy value", async () => {
		let calls = 0;

		expect(await waitFor(() => ++calls >= 3 && `after ${calls}`, { everyMs: 1 })).toBe("after 3");
	});

	it("takes an error for not yet", async () => {
		let calls = 0;

		await waitFor(
			() => {
				if (++calls < 3) throw new Error("too early");
				return true;
			},
			{ everyMs: 1 },
		);

		expect(calls).toBe(3);
	});

	it("gives up after the timeout, names what it waited for and keeps the last error", async () => {
		const waiting = waitFor(() => Promise.reject(new Error("refused")), {
			timeoutMs: 20,
			everyMs: 1,
			what: "the server",
		});

		await expect(waiting).rejects.toThrow("Waited 20 ms for the server.");
		await expect(waiting).rejects.toMatchObject({ cause: { message: "refused" } });
	});
});
