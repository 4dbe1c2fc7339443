import { describe, expect, it } from "vitest";
import { ReadinessCheck } from "./readiness";

const never = () => new Promise<void>(() => {});

describe("readiness", () => {
	it("is there when the store answers", async () => {
		const check = new ReadinessCheck({ check: async () => {} });
		expect(await check.readiness(false)).toBe("ready");
	});

	it("is not there while the process stops, whatever the store says", async () => {
		const check = new ReadinessCheck({ check: async () => {} });
		expect(await check.readiness(true)).toBe("stopping");
	});

	it("is not there when the store refuses, and not when it hangs", async () => {
		const refusing = new ReadinessCheck({ check: () => Promise.reject(new Error("away")) });
		expect(await refusing.readiness(false)).toBe("store unreachable");
		const hanging = new ReadinessCheck({ check: never });
		expect(await hanging.readiness(false)).toBe("store unreachable");
	});

	it("asks the store once for many who ask at the same time", async () => {
		let looks = 0;
		const check = new ReadinessCheck({
			check: async () => {
				looks += 1;
			},
		});
		await Promise.all(Array.from({ length: 50 }, () => check.readiness(false)));
		expect(looks).toBe(1);
	});
});
