import { expect, it } from "vitest";
import { withoutChatter } from "./without-chatter";

function openTerminal() {
	const said: unknown[][] = [];
	return { said, log: (...words: unknown[]) => void said.push(words) };
}

it("keeps the timing of the configuration out, and nothing else that is said", async () => {
	const terminal = openTerminal();
	const { log } = terminal;
	const result = await withoutChatter(terminal, async () => {
		terminal.log("✓ Running next.config.mjs took 13ms");
		terminal.log("▲ Next.js", 16);
		terminal.log("⨯ next.config.mjs is wrong");
		return "started";
	});
	expect(result).toBe("started");
	expect(terminal.said).toEqual([["▲ Next.js", 16], ["⨯ next.config.mjs is wrong"]]);
	expect(terminal.log).toBe(log);
});

it("passes a failed start on, and gives the terminal back", async () => {
	const terminal = openTerminal();
	const { log } = terminal;
	const failing = withoutChatter(terminal, async () => {
		throw new Error("no build");
	});
	await expect(failing).rejects.toThrow("no build");
	expect(terminal.log).toBe(log);
});
