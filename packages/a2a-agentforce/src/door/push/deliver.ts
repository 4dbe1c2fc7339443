import { setTimeout as sleep } from "node:timers/promises";
import { withinTime } from "@baton/session";
import { type Milestone, notificationOf } from "./notification";
import { postWebhook } from "./post-webhook";
import { AddressRefused, type PushAddresses } from "./push-addresses";
import type { Webhook } from "./push-record";

export interface DeliverOptions {
	addresses: PushAddresses;
	/** Pauses before the second attempt and later ones, in ms; their number is how often it is tried again. */
	retryMs: readonly number[];
	/** How long one attempt may take. */
	timeoutMs: number;
	log: { warn(details: Record<string, unknown>, message: string): void };
}

export const DELIVER_DEFAULTS = { retryMs: [1_000, 5_000, 20_000, 60_000], timeoutMs: 10_000 };

/** Tells a webhook one state: until it takes it, refuses it, or is given up on. Rejects on abort alone. */
export async function deliver(
	{ addresses, retryMs, timeoutMs, log }: DeliverOptions,
	webhook: Webhook,
	milestone: Milestone,
	signal: AbortSignal,
): Promise<void> {
	const { body, headers } = notificationOf(milestone, webhook);
	for (let attempt = 0; ; attempt++) {
		const outcome = await withinTime(timeoutMs, signal, (inTime) =>
			postWebhook(addresses, { url: webhook.url, headers, body, signal: inTime }),
		)
			.then((status) => (status >= 200 && status < 300 ? null : status))
			.catch((error: unknown) => error);
		if (outcome === null) return;
		signal.throwIfAborted();
		const pause = retryMs[attempt];
		if (pause === undefined || !mayPass(outcome)) {
			const reason = typeof outcome === "number" ? `It answered ${outcome}.` : outcome;
			log.warn({ taskId: milestone.task.id, reason }, "A webhook was not told of a task.");
			return;
		}
		await sleep(pause, undefined, { signal });
	}
}

/** Whether the same call may succeed later. A redirect does not: it is not followed. */
function mayPass(outcome: unknown): boolean {
	if (typeof outcome === "number") return outcome >= 500 || outcome === 408 || outcome === 429;
	const { cause } = outcome as { cause?: unknown };
	return !(outcome instanceof AddressRefused) || cause !== undefined;
}
