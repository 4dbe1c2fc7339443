import { authFrame } from "../protocol/frames";
import type { AuthLimiter } from "./auth-limiter";
import { CLOSE } from "./close-codes";
import type { Connection } from "./connection";
import type { GatewayTokens } from "./tokens";

/** Reads the first frame of a socket. False: it was refused, and is being closed. */
export async function authenticate(
	connection: Connection,
	text: string,
	{ tokens, limiter }: { tokens: GatewayTokens; limiter: AuthLimiter },
): Promise<boolean> {
	const lockedFor = await limiter.lockedFor(connection.caller);
	if (lockedFor > 0) {
		refuse(connection, `too many attempts; try again in ${lockedFor} s`, CLOSE.lockedOut);
		return false;
	}
	const frame = readAuth(text);
	if (!frame) {
		refuse(connection, 'send {"type":"auth","token":"…"} first', CLOSE.unauthorized);
		return false;
	}
	const found = await tokens.resolve(frame.token);
	if (!found) {
		await limiter.refused(connection.caller);
		refuse(connection, "invalid token", CLOSE.unauthorized);
		return false;
	}
	connection.owner = found.owner;
	connection.tokenVersion = found.version;
	connection.namesAborted = frame.events?.includes("chat.aborted") ?? false;
	connection.send({ type: "auth", ok: true });
	return true;
}

function readAuth(text: string) {
	try {
		return authFrame.safeParse(JSON.parse(text)).data ?? null;
	} catch {
		return null;
	}
}

function refuse(connection: Connection, error: string, code: number): void {
	connection.send({ type: "auth", ok: false, error });
	connection.close(code, error.slice(0, 120));
}
