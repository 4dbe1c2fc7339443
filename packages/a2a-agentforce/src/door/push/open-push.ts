import type { Store } from "@baton/session";
import type { TaskSource } from "../task/follow-task";
import { DELIVER_DEFAULTS } from "./deliver";
import { type Lookup, PushAddresses, type PushRules } from "./push-addresses";
import { PushConfigs } from "./push-configs";
import { PUSH_COLLECTION, type PushRecord } from "./push-record";
import { PUSH_WORKER_DEFAULTS, PushWorker, type PushWorkerOptions } from "./push-worker";

export interface PushOptions extends PushRules {
	/** How names become addresses. Default: the system's way. */
	lookup?: Lookup;
	/** Pauses between attempts at a webhook, and how long one may take, in ms. */
	retryMs?: readonly number[];
	timeoutMs?: number;
	/** How often each process looks for tasks whose worker is gone, and after what time it is. */
	sweepMs?: number;
	leaseMs?: number;
	/** How soon a task that waits for its caller is looked at again. */
	restMs?: number;
	/** Tasks that one process tells of at the same time: all, and those of one owner. */
	atOnce?: number;
	perOwner?: number;
}

/** The webhooks of tasks, and the worker that calls them. */
export function openPush(
	options: PushOptions,
	parts: { store: Store; source: TaskSource } & Pick<PushWorkerOptions, "holder" | "log">,
): { configs: PushConfigs; worker: PushWorker } {
	const { hosts, allowPrivate, lookup, ...settings } = options;
	const records = parts.store.collection<PushRecord>(PUSH_COLLECTION);
	const addresses = new PushAddresses({ hosts, allowPrivate }, lookup);
	const { source, holder, log } = parts;
	const worker = new PushWorker({
		...DELIVER_DEFAULTS,
		...PUSH_WORKER_DEFAULTS,
		...settings,
		records,
		addresses,
		source,
		holder,
		log,
	});
	const wake = (taskId: string) => worker.wake(taskId);
	const { sessions } = source;
	return { configs: new PushConfigs({ records, sessions, addresses, wake }), worker };
}
