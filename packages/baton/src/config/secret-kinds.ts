import { ApiKeys } from "@baton/agent";
import { isBatonError } from "@baton/session";
import { z } from "zod";

/* Kinds whose text is a secret: their messages never repeat it. */

/** `owner:key,owner:key`. */
export const apiKeys = z.string().transform((value, context) => {
	try {
		return ApiKeys.parse(value);
	} catch (error) {
		const reason = isBatonError(error) ? error.message.replace(/^API keys: /, "") : "is not valid";
		context.addIssue({ code: "custom", message: reason });
		return z.NEVER;
	}
});

/** A key alone, as the A2A bridge has them. */
export const oneApiKey = z
	.string()
	.regex(/^[^\s,]{16,512}$/, "is not a key of at least 16 characters without spaces and commas");

export const redisUrl = z
	.string()
	.regex(/^redis(\+cluster|\+sentinel)?s?:\/\/\S+$/, "is not a redis:// or rediss:// address");

/** The shortest token that a person may set. */
const TOKEN_LENGTH = 8;

export const gatewayToken = z
	.string()
	.regex(/^\S+$/, "has a space in it")
	.min(TOKEN_LENGTH, `has fewer than ${TOKEN_LENGTH} characters`)
	.max(512, "has more than 512 characters");
