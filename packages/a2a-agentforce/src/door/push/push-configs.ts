import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { TaskPushNotificationConfig } from "@a2a-js/sdk";
import { RequestMalformedError, TaskNotFoundError } from "@a2a-js/sdk/errors";
import type { SessionValue } from "@baton/agent";
import { BatonError, type Collection, isBatonError } from "@baton/session";
import type { FoundTask } from "../task/task-index";
import { AddressRefused, type PushAddresses } from "./push-addresses";
import { NOW, type PushRecord, type Webhook } from "./push-record";

/** Webhooks of one task. */
export const MAX_WEBHOOKS = 10;
const ID = /^[^\p{Cc}\p{Cs}]{1,256}$/u;
/** How often, and how long apart, a record that is about to go is waited for. */
const TRIES = 100;
const PAUSE_MS = 100;
/** Header values: visible characters and spaces, one line. */
const HEADER = /^[\x20-\x7e]{0,4096}$/;

interface PushConfigsOptions {
	records: Collection<PushRecord>;
	sessions: Collection<SessionValue>;
	addresses: PushAddresses;
	/** Has the worker look at this task now. */
	wake: (taskId: string) => void;
}

/** The webhooks of tasks, kept in the store. */
export class PushConfigs {
	readonly #options: PushConfigsOptions;

	constructor(options: PushConfigsOptions) {
		this.#options = options;
	}

	/** Rejects unless the webhook may be saved. */
	async check({ id, url, token, authentication }: TaskPushNotificationConfig): Promise<void> {
		if (id !== "" && !ID.test(id)) throw new RequestMalformedError("The config's id is not valid.");
		const { scheme = "", credentials = "" } = authentication ?? {};
		if (![token, scheme, credentials].every((value) => HEADER.test(value))) {
			throw new RequestMalformedError("Token, scheme and credentials are plain text on one line.");
		}
		try {
			await this.#options.addresses.check(url);
		} catch (error) {
			if (!(error instanceof AddressRefused)) throw error;
			throw new RequestMalformedError(`The webhook's address is refused. ${error.message}`);
		}
	}

	/** Rejects unless the task has room for the webhook. */
	async checkRoom({ taskId }: FoundTask, config: TaskPushNotificationConfig): Promise<void> {
		const record = await this.#options.records.get(taskId);
		withWebhook(record?.value.webhooks ?? [], webhookOf(taskId, config, ""));
	}

	/** Adds a webhook, or replaces the one of the same id. */
	async save(
		found: FoundTask,
		config: TaskPushNotificationConfig,
		version: string,
	): Promise<TaskPushNotificationConfig> {
		await this.check(config);
		const { taskId } = found;
		const webhook = webhookOf(taskId, config, version);
		await this.#add(found, webhook);
		await this.#options.records.setAlarm(taskId, NOW);
		this.#options.wake(taskId);
		return toConfig(taskId, webhook);
	}

	/** Tells that a task goes on, so that its webhooks hear of it soon. */
	async goesOn({ taskId }: FoundTask): Promise<void> {
		const { records, wake } = this.#options;
		if (!(await records.get(taskId))) return;
		await records.setAlarm(taskId, NOW);
		wake(taskId);
	}

	async #add({ taskId, ...task }: FoundTask, webhook: Webhook): Promise<void> {
		const { records, sessions } = this.#options;
		const ttlMs = (await sessions.get(task.sessionId))?.ttlMs;
		const options = { ...(ttlMs && { ttlMs }) };
		for (let tries = 0; tries < TRIES; tries++) {
			try {
				await records.create(taskId, { ...task, webhooks: [webhook] }, options);
				return;
			} catch (error) {
				if (!isBatonError(error, "already_exists")) throw error;
			}
			try {
				const { value } = await records.update(taskId, (record) =>
					record.over ? record : { ...record, webhooks: withWebhook(record.webhooks, webhook) },
				);
				if (!value.over) return;
			} catch (error) {
				if (!isBatonError(error, "not_found")) throw error;
			}
			await sleep(PAUSE_MS);
		}
		throw new BatonError("unavailable", "The task's webhooks cannot be changed now.");
	}

	async list({ taskId }: FoundTask): Promise<TaskPushNotificationConfig[]> {
		const record = await this.#options.records.get(taskId);
		return (record?.value.webhooks ?? []).map((webhook) => toConfig(taskId, webhook));
	}

	/** Without an id, as 0.3 may ask: the first. */
	async get(found: FoundTask, id: string): Promise<TaskPushNotificationConfig> {
		const configs = await this.list(found);
		const config = id === "" ? configs[0] : configs.find((one) => one.id === id);
		if (!config) throw new TaskNotFoundError("The task has no such push notification config.");
		return config;
	}

	/** Absent is fine. */
	async delete({ taskId }: FoundTask, id: string): Promise<void> {
		try {
			await this.#options.records.update(taskId, (record) => ({
				...record,
				webhooks: record.webhooks.filter((webhook) => webhook.id !== id),
			}));
		} catch (error) {
			if (!isBatonError(error, "not_found")) throw error;
		}
	}
}

/** One without an id is named after its address, so that it comes once however often it is sent. */
function webhookOf(
	taskId: string,
	{ id, url, token, authentication }: TaskPushNotificationConfig,
	version: string,
): Webhook {
	return {
		id:
			id ||
			createHash("sha256")
				.update(JSON.stringify([taskId, url]))
				.digest("base64url"),
		url,
		token,
		scheme: authentication?.scheme ?? "",
		credentials: authentication?.credentials ?? "",
		version,
		toldSeq: 0,
		done: false,
	};
}

/** What a webhook was told it still knows when it is saved again. */
function withWebhook(webhooks: readonly Webhook[], webhook: Webhook): Webhook[] {
	const before = webhooks.find(({ id }) => id === webhook.id);
	const others = webhooks.filter((one) => one !== before);
	if (others.length >= MAX_WEBHOOKS) {
		throw new RequestMalformedError(`A task has at most ${MAX_WEBHOOKS} webhooks.`);
	}
	const toldSeq = before?.url === webhook.url ? before.toldSeq : 0;
	return [...others, { ...webhook, toldSeq }];
}

function toConfig(
	taskId: string,
	{ id, url, token, scheme, credentials }: Webhook,
): TaskPushNotificationConfig {
	const authentication = scheme === "" ? undefined : { scheme, credentials };
	return { tenant: "", taskId, id, url, token, authentication };
}
