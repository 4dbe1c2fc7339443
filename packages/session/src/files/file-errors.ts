import { BatonError, isBatonError } from "../errors";

const FULL = new Set(["ENOSPC", "EDQUOT"]);
/** EBADF: a handle that could only be opened for reading, before the folder became writable again. */
const READ_ONLY = new Set(["EROFS", "EACCES", "EPERM", "EBADF"]);

export function hasCode(error: unknown, ...codes: string[]): boolean {
	return error instanceof Error && "code" in error && codes.includes(String(error.code));
}

/** What a failed file operation means to the caller, and what to do about it. */
export function fileError(error: unknown, path: string): BatonError {
	if (isBatonError(error)) return error;
	const code = error instanceof Error && "code" in error ? String(error.code) : "";
	if (FULL.has(code)) {
		return new BatonError(
			"store_full",
			`No space is left to write ${path} (${code}). Nothing that was stored is lost; free some space and try again.`,
			{ cause: error },
		);
	}
	if (READ_ONLY.has(code)) {
		return new BatonError(
			"read_only",
			`${path} cannot be written (${code}). Make the data folder writable for this user, or choose another one.`,
			{ cause: error },
		);
	}
	const message = error instanceof Error ? error.message : String(error);
	return new BatonError("unavailable", `${path} cannot be used: ${message}.`, { cause: error });
}

/** The same for an error that may be the caller's own: only what the system refused is ours to say. */
export function ifFileError(error: unknown, path: string): unknown {
	return error instanceof Error && "syscall" in error ? fileError(error, path) : error;
}

/** Resolves to null instead of rejecting when the file or folder is not there. */
export async function orNull<T>(operation: Promise<T>): Promise<T | null> {
	try {
		return await operation;
	} catch (error) {
		if (hasCode(error, "ENOENT")) return null;
		throw error;
	}
}
