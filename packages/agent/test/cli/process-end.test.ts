import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { tempDir, waitFor } from "@baton/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { runTurn, turnStub } from "../turn-stub";
import { type FakeStep, fakeAgent, INIT, RESULT, said } from "./fake-setup";
import { isRunning, processesInGroup, processesWith } from "./processes";

const uniqueSeconds = () => String(7_000_000 + Math.floor(Math.random() * 1_000_000));

/* What is left of a command-line agent when it ends, however it ends: nothing. */
describe("the end of a command-line agent", () => {
	const kill: number[] = [];
	afterEach(() => {
		for (const pid of kill.splice(0)) if (isRunning(pid)) process.kill(pid, "SIGKILL");
	});

	it("takes along what it started, even out of its group", async () => {
		const seconds = uniqueSeconds();
		const { agent } = await fakeAgent([
			...[{ line: INIT }, { escape: seconds }, { line: said("Hi.") }, { line: RESULT }],
		]);
		const { error } = await runTurn(agent, turnStub("hi"));
		expect(error).toBeUndefined();
		expect(processesWith(seconds)).toEqual([]);
	});

	it("comes within two seconds of an abort, deaf or not", async () => {
		const seconds = uniqueSeconds();
		const { agent } = await fakeAgent([
			...[{ deaf: true } as const, { line: INIT }, { escape: seconds }],
			...[{ line: said("Hi.") }, { wait: 60_000 }],
		]);
		const controller = new AbortController();
		const turn = turnStub("hi", { signal: controller.signal });
		let group = 0;
		let aborted = 0;

		const outcome = await runTurn(agent, turn, (event) => {
			if (event.type !== "message") return;
			group = (turn.remembered().process as { pgid: number }).pgid;
			aborted = performance.now();
			controller.abort();
		});

		expect(performance.now() - aborted).toBeLessThan(2_000);
		expect(outcome.text).toBe("Hi.");
		expect(group).toBeGreaterThan(1);
		expect(processesInGroup(group)).toEqual([]);
		expect(processesWith(seconds)).toEqual([]);
		expect(turn.remembered()).not.toHaveProperty("process");
	});

	it("leaves a moment to save its work", async () => {
		const folder = await tempDir("baton-save");
		const save = join(folder.path, "saved.txt");
		const steps: FakeStep[] = [{ save }, { line: INIT }, { line: said("Hi.") }, { wait: 60_000 }];
		const { agent } = await fakeAgent(steps);
		const controller = new AbortController();
		const turn = turnStub("hi", { signal: controller.signal });
		await runTurn(agent, turn, (event) => event.type === "message" && controller.abort());
		expect(readFileSync(save, "utf8")).toBe("saved");
		await folder.remove();
	});

	it("comes when the reader leaves", async () => {
		const { agent } = await fakeAgent([{ line: INIT }, { line: said("Hi.") }, { wait: 60_000 }]);
		const turn = turnStub("hi");
		const events = agent.run(turn);
		await events.next();
		const { pgid } = turn.remembered().process as { pgid: number };
		await events.return(undefined);
		expect(processesInGroup(pgid)).toEqual([]);
	});

	it("does not start when the turn was aborted before", async () => {
		const { agent } = await fakeAgent([{ line: INIT }, { line: said("Hi.") }, { line: RESULT }]);
		const { events } = await runTurn(agent, turnStub("hi", { signal: AbortSignal.abort() }));
		expect(events).toEqual([]);
	});

	it("comes by cleanUp, after a runner that is still there but lost its turn", async () => {
		const seconds = uniqueSeconds();
		const { agent } = await fakeAgent([
			...[{ deaf: true } as const, { line: INIT }, { escape: seconds }],
			...[{ line: said("Hi.") }, { wait: 60_000 }],
		]);
		const turn = turnStub("hi");
		const events = agent.run(turn);
		await events.next();
		await waitFor(() => processesWith(seconds).length > 0);
		const memory = turn.remembered();
		const { pgid } = memory.process as { pgid: number };

		await agent.cleanUp!(memory);

		expect(processesInGroup(pgid)).toEqual([]);
		expect(processesWith(seconds)).toEqual([]);
		await events.return(undefined);
	});

	it.each([
		["has another start time", { startTime: "another" }],
		["is on another machine", { host: "another" }],
		["is no process at all", { pid: "1" }],
		["would be everyone", { pid: 1, pgid: 1 }],
	])("spares a group whose leader %s", async (_title, wrong) => {
		const bystander = spawn("sleep", [uniqueSeconds()], { detached: true, stdio: "ignore" });
		kill.push(bystander.pid!);
		const { agent } = await fakeAgent([]);
		const identity = {
			...{ host: hostname(), pid: bystander.pid!, pgid: bystander.pid! },
			...{ startTime: "another", mark: "0123456789abcdef0123" },
		};
		await agent.cleanUp!({ process: { ...identity, ...wrong } });
		expect(isRunning(bystander.pid!)).toBe(true);
	});
});
