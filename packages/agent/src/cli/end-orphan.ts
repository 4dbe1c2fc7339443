import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "@baton/session";
import { killMarked } from "./marked-processes";
import { waitForGroup } from "./process-group";
import { isSameProcess, type ProcessIdentity, processIdentitySchema } from "./process-identity";

const GRACE_MS = 1_000;
const POLL_MS = 25;

/**
 * Ends the process group that a lost runner left behind. Only on the same machine, and only while
 * the group's leader is the very process that was remembered.
 */
export async function endOrphan(memory: JsonObject): Promise<void> {
	const parsed = processIdentitySchema.safeParse(memory.process);
	if (!parsed.success) return;
	const identity = parsed.data;
	if (await isSameProcess(identity)) {
		signal(identity, "SIGTERM");
		await waitForEnd(identity, GRACE_MS);
		// The leader stays until it is killed, so this is asked again right before.
		if (await isSameProcess(identity)) signal(identity, "SIGKILL");
		await waitForGroup(identity.pgid);
	}
	await killMarked(identity.mark);
}

async function waitForEnd(identity: ProcessIdentity, ms: number): Promise<void> {
	const deadline = performance.now() + ms;
	while (performance.now() < deadline && (await isSameProcess(identity))) await sleep(POLL_MS);
}

function signal({ pgid }: ProcessIdentity, name: NodeJS.Signals): void {
	try {
		process.kill(-pgid, name);
	} catch {
		// The group is gone.
	}
}
