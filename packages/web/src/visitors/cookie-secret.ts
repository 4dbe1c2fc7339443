import { randomBytes } from "node:crypto";
import { isBatonError, type JsonObject, type Store } from "@baton/session";

/** The key that visitors' cookies are signed with: made once, the same for all instances. */
export async function openCookieSecret(store: Store): Promise<string> {
	const records = store.collection<JsonObject>("web");
	const made = randomBytes(32).toString("base64url");
	try {
		await records.create("cookie-secret", { secret: made });
		return made;
	} catch (error) {
		if (!isBatonError(error, "already_exists")) throw error;
	}
	const kept = (await records.get("cookie-secret"))?.value.secret;
	if (typeof kept !== "string") throw new Error("The store has no secret for cookies.");
	return kept;
}
