import type { Collection } from "@baton/session";
import { type DeliverOptions, deliver } from "./deliver";
import { isEnd, type Milestone } from "./notification";
import type { PushRecord, Webhook } from "./push-record";

export interface TellOptions extends DeliverOptions {
	records: Collection<PushRecord>;
}

/**
 * Tells a task's webhooks these states, and notes what they know; returns the last state. Each is told
 * them in order; one that is slow holds up no other.
 */
export async function tellWebhooks(
	options: TellOptions,
	taskId: string,
	states: AsyncIterable<Milestone>,
	signal: AbortSignal,
): Promise<Milestone | null> {
	const chains = new Map<string, Promise<void>>();
	let last: Milestone | null = null;
	for await (const milestone of states) {
		last = milestone;
		const record = await options.records.get(taskId);
		for (const webhook of record?.value.webhooks ?? []) {
			const before = chains.get(webhook.id) ?? Promise.resolve();
			const told = before.then(() => tell(options, taskId, webhook, milestone, signal));
			told.catch(() => {});
			chains.set(webhook.id, told);
		}
	}
	await Promise.all(chains.values());
	signal.throwIfAborted();
	return last;
}

/** Whether a webhook has yet to hear of a state. */
export function wants({ done, toldSeq }: Webhook, milestone: Milestone): boolean {
	return !done && (isEnd(milestone) || milestone.seq > toldSeq);
}

async function tell(
	options: TellOptions,
	taskId: string,
	webhook: Webhook,
	milestone: Milestone,
	signal: AbortSignal,
): Promise<void> {
	if (!wants(webhook, milestone)) return;
	await deliver(options, webhook, milestone, signal);
	const known = { toldSeq: milestone.seq, done: isEnd(milestone) };
	await options.records.update(taskId, (record) => ({
		...record,
		webhooks: record.webhooks.map((one) => (one.id === webhook.id ? { ...one, ...known } : one)),
	}));
}
