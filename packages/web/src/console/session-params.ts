import * as z from "zod";
import { WebError } from "../http/web-error";

const idSchema = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/);

/** The session that an address names. */
export function sessionParams({ id }: { id: string }): string {
	const parsed = idSchema.safeParse(id);
	if (!parsed.success) throw new WebError(404, "NOT_FOUND", "There is no such session.");
	return parsed.data;
}
