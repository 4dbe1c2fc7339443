import type { Message, TaskPushNotificationConfig } from "@a2a-js/sdk";
import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { z } from "zod";

/*
 * The SDK hands over what 0.3 sent as it came, whatever its types say, so the fields that are used here
 * are looked at once more.
 */

const text = z
	.string()
	.nullish()
	.transform((value) => value ?? "");
const metadata = z.record(z.string(), z.unknown()).optional().catch(undefined);
const texts = z.array(z.string()).catch([]);

const part = z.object({
	content: z.discriminatedUnion("$case", [
		z.object({ $case: z.literal("text"), value: z.string() }),
		z.object({ $case: z.literal("raw"), value: z.instanceof(Uint8Array).transform(Buffer.from) }),
		z.object({ $case: z.literal("url"), value: z.string().max(4_096) }),
		z.object({ $case: z.literal("data"), value: z.unknown() }),
	]),
	metadata,
	filename: text,
	mediaType: text,
});

const message = z.object({
	messageId: z.string(),
	contextId: text,
	taskId: text,
	role: z.number(),
	parts: z.array(part).max(1_000),
	metadata,
	extensions: texts,
	referenceTaskIds: texts,
});

const pushConfig = z.object({
	tenant: text,
	taskId: text,
	id: text,
	url: z.string(),
	token: text,
	authentication: z.object({ scheme: text, credentials: text }).nullish(),
});

export function shapedMessage(value: unknown): Message {
	return parse(message, "message", value) as Message;
}

export function shapedPushConfig(value: unknown): TaskPushNotificationConfig {
	const config = parse(pushConfig, "The push notification config", value);
	return { ...config, authentication: config.authentication ?? undefined };
}

function parse<T>(schema: z.ZodType<T>, name: string, value: unknown): T {
	const parsed = schema.safeParse(value);
	if (parsed.success) return parsed.data;
	const [issue] = parsed.error.issues;
	const field = [name, ...(issue?.path ?? [])].join(".");
	throw new RequestMalformedError(`${field}: ${issue?.message ?? "is not valid"}.`);
}
