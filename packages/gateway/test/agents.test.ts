import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { useFilesGateway } from "./support/use-files-gateway";

const at = useFilesGateway();
const { list } = at;

describe("agents", () => {
	it("an agent whose model is not there is refused by name; one by its own name is taken", async () => {
		const refused = await at.peer.ask("sessions.create", { agentId: "no-such" });
		expect(refused.error).toMatchObject({ code: -32602 });
		expect(refused.error?.message).toContain("assistant");
		await at.peer.createSession({ agentId: "demo" });
		expect((await list()).sessions[0]?.agentId).toBe("demo");
	});

	it("AGENTS.md is read anew, and what is wrong with it is said", async () => {
		const path = join(at.folder, "workspace", "AGENTS.md");
		await mkdir(join(at.folder, "workspace"));
		await writeFile(path, "## Poet\nModel: demo\nDescription: Writes.\n");
		expect(await at.peer.call("agents.list")).toMatchObject({
			agents: [{ id: "poet", name: "Poet", model: "demo", description: "Writes." }],
		});
		const key = await at.peer.createSession();
		expect((await list()).sessions.find((one) => one.key === key)?.agentId).toBe("poet");
		await writeFile(path, "Nothing of use.");
		const { agents, warnings } = await at.peer.call<{ agents: object[]; warnings: string[] }>(
			"agents.list",
		);
		expect(agents).toMatchObject([{ id: "assistant", model: "anthropic/claude-opus-4-6" }]);
		expect(warnings).toEqual([expect.stringContaining('no "## <name>" heading')]);
	});
});
