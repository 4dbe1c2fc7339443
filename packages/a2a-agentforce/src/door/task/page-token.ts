import { RequestMalformedError } from "@a2a-js/sdk/errors";
import { z } from "zod";

const pageToken = z.object({ at: z.string().max(64), taskId: z.string().max(128) });

/** After which task the next page begins. */
export type PageToken = z.infer<typeof pageToken>;

export function encodePageToken(token: PageToken): string {
	return Buffer.from(JSON.stringify(token)).toString("base64url");
}

export function decodePageToken(text: string): PageToken {
	try {
		return pageToken.parse(JSON.parse(Buffer.from(text, "base64url").toString("utf8")));
	} catch {
		throw new RequestMalformedError("pageToken is not one of this server's.");
	}
}
