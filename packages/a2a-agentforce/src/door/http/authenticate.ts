import type { IncomingHttpHeaders } from "node:http";
import type { JwtOwners } from "./jwt-owners";

/** Anything that knows whose a key is. */
export interface Keys {
	resolve(key: string): string | null;
}

/** Whose request this is, by its headers alone; null for nobody's. */
export async function ownerOf(
	headers: IncomingHttpHeaders,
	keys: readonly Keys[],
	jwt?: JwtOwners,
): Promise<string | null> {
	const credential = credentialOf(headers);
	if (credential === null) return null;
	for (const one of keys) {
		const owner = one.resolve(credential);
		if (owner !== null) return owner;
	}
	return jwt ? jwt.resolve(credential) : null;
}

/** Two different credentials are none: nobody should have to guess which of them counts. */
function credentialOf(headers: IncomingHttpHeaders): string | null {
	const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
	const key = headers["x-api-key"];
	if (headers.authorization !== undefined && bearer === undefined) return null;
	if (key !== undefined && (typeof key !== "string" || key === "")) return null;
	if (bearer !== undefined && key !== undefined && bearer !== key) return null;
	return bearer ?? key ?? null;
}
