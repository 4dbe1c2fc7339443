import * as z from "zod";
import { WebError } from "../http/web-error";

const idSchema = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/);

export function isSessionId(id: string): boolean {
	return idSchema.safeParse(id).success;
}

/** The session that an address names. */
export function sessionParams({ id }: { id: string }): string {
	if (!isSessionId(id)) throw new WebError(404, "NOT_FOUND", "There is no such session.");
	return id;
}
