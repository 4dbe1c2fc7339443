// An agent of your own. Kill this with `kill -9` while it counts, and run it again: the turn that was
// lost is begun anew, its half answer is taken back, and it ends once.
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { Turns } from "@baton/agent";
import { openStore } from "@baton/session";

const countdown = {
	name: "countdown",
	recovery: "retry", // Nothing that it does has effects: a lost turn may run again.
	async *run({ input, signal }) {
		for (let n = Number(input.content); n > 0; n--) {
			await sleep(100, null, { signal });
			yield { type: "message", role: "assistant", content: `${n} `, delta: true };
		}
		yield { type: "message", role: "assistant", content: "lift-off", delta: true };
	},
};

const dir = `${tmpdir()}/baton-countdown`; // Where a second run finds what the first has left.
const store = await openStore({ driver: "files", dir });
const sessions = store.collection("sessions");
const turns = new Turns({ sessions, agents: () => countdown, holder: "example", log: console });
await turns
	.create({ id: "launch", agentId: "countdown", owner: "me", door: "example" })
	.catch(({ code }) => code === "already_exists" || process.exit(1));
await turns.send("launch", { content: "20" }, { idempotencyKey: "the one launch" });

let text = "";
for await (const { entries } of turns.follow("launch", { after: 0 })) {
	for (const { event } of entries) {
		if (event.type === "retract") text = "";
		if (event.role === "assistant") text += event.content;
		if (event.role === "assistant") console.log(text);
		if (event.type !== "result") continue;
		await turns.close();
		await store.close();
		await rm(dir, { recursive: true });
		process.exit();
	}
}
