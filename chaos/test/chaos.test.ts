import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { requirePart } from "@baton/testkit";
import { describe, expect, it } from "vitest";

const RUN = fileURLToPath(new URL("../run.mjs", import.meta.url));
const FULL = process.env.BATON_FULL === "1";

interface Outcome {
	code: number | null;
	figures: Record<string, number>;
	faults: string[];
}

async function chaos(...args: string[]): Promise<Outcome> {
	const child = spawn(process.execPath, [RUN, "--json", ...args], {
		stdio: ["ignore", "pipe", "inherit"],
	});
	let output = "";
	child.stdout.setEncoding("utf8").on("data", (text: string) => {
		output += text;
	});
	const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
	const { faults, ...figures } = JSON.parse(output) as { faults: string[] };
	return { code, figures: figures as Outcome["figures"], faults };
}

describe.skipIf(!requirePart("redis-server"))("chaos", { timeout: 600_000 }, () => {
	it("ends in four zeros", async () => {
		const { code, figures, faults } = await chaos("--minutes", FULL ? "2" : "0.3", "--talks", "6");
		expect(faults).toEqual([]);
		expect(figures).toMatchObject({ lost: 0, repeated: 0, outOfOrder: 0, unended: 0 });
		expect(figures.turns).toBeGreaterThan(6);
		expect(figures.kills).toBeGreaterThan(0);
		expect(code).toBe(0);
	});

	it("finds what goes wrong when a runner that lost its lease may write", async () => {
		// Whether a runner is stopped in the middle of a word is chance: what counts is that it is found.
		const found = { code: 0 as number | null, wrong: 0 };
		for (let runs = 0; found.wrong === 0 && runs < 4; runs++) {
			const { code, figures } = await chaos("--minutes", FULL ? "1" : "0.3", "--break", "lease");
			const { lost = 0, repeated = 0 } = figures;
			Object.assign(found, { code, wrong: lost + repeated });
		}
		expect(found.wrong).toBeGreaterThan(0);
		expect(found.code).toBe(1);
	});
});
