// An agent of your own. Kill this with `kill -9` while it counts, and run it again: the turn that was
// lost is begun anew, its half answer is taken back, and it ends once.
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { Turns } from "@baton/agent";
import { openStore } from "@baton/session";

async function* run({ input, signal }) {
	for (let n = Number(input.content); n >= 0; n--) {
		await sleep(100, null, { signal });
		yield { type: "message", role: "assistant", content: n ? `${n} ` : "lift-off", delta: true };
	}
}
const countdown = { name: "countdown", run, recovery: "retry" }; // No effects: may run again.
const dir = `${tmpdir()}/baton-countdown`; // Where a second run finds what the first has left.
const store = await openStore({ driver: "files", dir });
const sessions = store.collection("sessions");
const turns = new Turns({ sessions, agents: () => countdown, holder: "example", log: console });
const launch = { id: "launch", agentId: "countdown", owner: "me", door: "example" };
if (!(await sessions.get("launch"))) await turns.create(launch);
await turns.send("launch", { content: "20" }, { idempotencyKey: "the one launch" });

for await (const { entries } of turns.follow("launch")) {
	for (const { event } of entries) console.log(event.type, event.content ?? "");
	if (entries.some(({ event }) => event.type === "result")) break;
}
await turns.close();
await store.close();
await rm(dir, { recursive: true });
