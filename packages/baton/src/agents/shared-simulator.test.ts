import { startAgentforceSimulator } from "@baton/a2a-agentforce/simulator";
import { afterEach, describe, expect, it } from "vitest";
import { SharedSimulator } from "./shared-simulator";

let shared: SharedSimulator;
afterEach(() => shared.close());

describe("the shared simulator", () => {
	it("is one for all who ask, and is stopped once", async () => {
		shared = new SharedSimulator(startAgentforceSimulator);
		const [one, other] = await Promise.all([shared.open(), shared.open()]);
		expect(other).toBe(one);
		await shared.close();
		await expect(fetch(one.url)).rejects.toThrow();
	});

	it("is started again after a start that failed", async () => {
		let starts = 0;
		shared = new SharedSimulator(async () => {
			if (++starts === 1) throw new Error("No port is free.");
			return startAgentforceSimulator();
		});
		await expect(shared.open()).rejects.toThrow("No port is free.");
		expect((await fetch((await shared.open()).url)).status).toBe(404);
		expect(starts).toBe(2);
	});
});
