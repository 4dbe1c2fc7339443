import type { ListPosition } from "./driver";
import { BatonError } from "./errors";

/** A page's end as an opaque text, and back. */
export function encodeCursor(position: ListPosition): string {
	return Buffer.from(`${position.createdAt}:${position.id}`).toString("base64url");
}

export function decodeCursor(cursor: string): ListPosition {
	const match = /^(\d{1,16}):([A-Za-z0-9_-]{1,128})$/.exec(
		Buffer.from(String(cursor), "base64url").toString(),
	);
	if (!match) {
		throw new BatonError("invalid", "The list cursor is not one that an earlier page returned.");
	}
	return { createdAt: Number(match[1]), id: match[2] as string };
}

/** Newest first; equal times by id, descending, so that the order is total. */
export function compareNewestFirst(a: ListPosition, b: ListPosition): number {
	if (a.createdAt !== b.createdAt) return b.createdAt - a.createdAt;
	return a.id < b.id ? 1 : a.id > b.id ? -1 : 0;
}
