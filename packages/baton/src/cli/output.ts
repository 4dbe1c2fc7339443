/** Resolves when everything that was printed is with its reader: a slow one may not have taken it yet. */
export async function endOutput(): Promise<void> {
	const streams = [process.stdout, process.stderr];
	await Promise.all(
		streams.map((stream) => new Promise<void>((resolve) => stream.write("", () => resolve()))),
	);
}

/** Ends with a reader that has seen enough: `baton sessions list | head -1`. */
export function leaveWithReader(): void {
	process.stdout.on("error", (error: NodeJS.ErrnoException) => {
		if (error.code !== "EPIPE") throw error;
		process.exit(0);
	});
}
