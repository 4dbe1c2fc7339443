import type { Agent, Turn } from "@baton/agent";
import { describe, expect, it } from "vitest";
import type { AgentKind } from "./agent-kind";
import { Agents } from "./agents";

function agentNamed(name: string, notice?: string): Agent {
	return {
		name,
		recovery: "retry",
		async *run() {
			yield { type: "message", role: "assistant", content: name };
			return notice === undefined ? undefined : { notice };
		},
	};
}

function kindOf(name: string, requires?: { variable: string; isSet: boolean }, notice?: string) {
	const agent = agentNamed(name, notice);
	const find = (wanted: string) => (wanted === name ? { agent, requires } : null);
	return { names: [name], find } satisfies AgentKind;
}

async function runOf(agent: Agent) {
	const events = agent.run({} as Turn);
	const first = await events.next();
	return { said: first.value, end: (await events.next()).value };
}

const kinds = [
	kindOf("demo"),
	kindOf("keyed", { variable: "A_KEY", isSet: true }),
	kindOf("keyless", { variable: "B_KEY", isSet: false }),
];

describe("agents", () => {
	it("serve under their own names when they have what they need", async () => {
		const { source } = new Agents({ kinds, standInForMissingKeys: true });
		expect(await runOf(source("keyed"))).toMatchObject({ said: { content: "keyed" } });
		expect((await runOf(source("demo"))).end).toBeUndefined();
	});

	it("are replaced by demo without a key, which is said at the end of each turn", async () => {
		const { source } = new Agents({ kinds, standInForMissingKeys: true });
		expect(source("keyless").name).toBe("demo");
		expect(await runOf(source("keyless"))).toMatchObject({
			said: { content: "demo" },
			end: {
				notice:
					"The demo agent answered in place of keyless, which needs B_KEY. Set B_KEY and start Baton again for the real one.",
			},
		});
	});

	it("fail without a key when demo may not stand in, and name the variable", () => {
		const { source } = new Agents({ kinds, standInForMissingKeys: false });
		expect(() => source("keyless")).toThrow("B_KEY is not set");
		expect(source("demo").name).toBe("demo");
	});

	it("are never replaced for a name that there is not", () => {
		const agents = new Agents({ kinds, standInForMissingKeys: true });
		expect(() => agents.source("gpt")).toThrow('no agent "gpt". There are: demo, keyed, keyless');
		expect(() => agents.check("gpt")).toThrow('no agent "gpt"');
		expect(() => agents.check("keyless")).not.toThrow();
	});

	it("are named with their model where a name of the workspace stands for it", async () => {
		const named = { ...kindOf("assistant", { variable: "B_KEY", isSet: false }) };
		const find = (name: string) => {
			const known = named.find(name);
			return known && { ...known, model: "keyless" };
		};
		const workspace = { names: [], find };
		const { source } = new Agents({ kinds: [...kinds, workspace], standInForMissingKeys: true });
		expect((await runOf(source("assistant"))).end).toEqual({
			notice:
				"The demo agent answered in place of assistant, which runs on keyless and needs B_KEY. Set B_KEY and start Baton again, or give assistant another model in workspace/AGENTS.md.",
		});
		const strict = new Agents({ kinds: [...kinds, workspace], standInForMissingKeys: false });
		expect(() => strict.source("assistant")).toThrow(
			"The agent assistant (keyless) cannot serve: B_KEY is not set.",
		);
	});

	it("keep what demo has to say beside it", async () => {
		const talkative = [kindOf("demo", undefined, "And more."), ...kinds.slice(1)];
		const { source } = new Agents({ kinds: talkative, standInForMissingKeys: true });
		const { end } = await runOf(source("keyless"));
		expect((end as { notice: string }).notice).toMatch(/for the real one\. And more\.$/);
	});
});
