import { randomUUID } from "node:crypto";
import type { TaskPushNotificationConfig } from "@a2a-js/sdk";
import { RequestMalformedError, TaskNotFoundError } from "@a2a-js/sdk/errors";
import { type Collection, isBatonError } from "@baton/session";
import type { FoundTask } from "../task/task-index";
import { AddressRefused, type PushAddresses } from "./push-addresses";
import { NOW, type PushRecord, type Webhook } from "./push-record";

/** Webhooks of one task. */
export const MAX_WEBHOOKS = 10;
const ID = /^[^\p{Cc}\p{Cs}]{1,256}$/u;
/** Header values: visible characters and spaces, one line. */
const HEADER = /^[\x20-\x7e]{0,4096}$/;

interface PushConfigsOptions {
	records: Collection<PushRecord>;
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

	/** Adds a webhook, or replaces the one of the same id. */
	async save(
		found: FoundTask,
		config: TaskPushNotificationConfig,
		version: string,
	): Promise<TaskPushNotificationConfig> {
		await this.check(config);
		const webhook: Webhook = {
			id: config.id || randomUUID(),
			url: config.url,
			token: config.token,
			scheme: config.authentication?.scheme ?? "",
			credentials: config.authentication?.credentials ?? "",
			version,
			toldSeq: 0,
			done: false,
		};
		const { taskId, ...task } = found;
		try {
			await this.#options.records.create(taskId, { ...task, webhooks: [webhook] });
		} catch (error) {
			if (!isBatonError(error, "already_exists")) throw error;
			await this.#options.records.update(taskId, (record) => ({
				...record,
				webhooks: added(record.webhooks, webhook),
			}));
		}
		await this.#options.records.setAlarm(taskId, NOW);
		this.#options.wake(taskId);
		return toConfig(taskId, webhook);
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

function added(webhooks: readonly Webhook[], webhook: Webhook): Webhook[] {
	const others = webhooks.filter(({ id }) => id !== webhook.id);
	if (others.length >= MAX_WEBHOOKS) {
		throw new RequestMalformedError(`A task has at most ${MAX_WEBHOOKS} webhooks.`);
	}
	return [...others, webhook];
}

function toConfig(
	taskId: string,
	{ id, url, token, scheme, credentials }: Webhook,
): TaskPushNotificationConfig {
	const authentication = scheme === "" ? undefined : { scheme, credentials };
	return { tenant: "", taskId, id, url, token, authentication };
}
