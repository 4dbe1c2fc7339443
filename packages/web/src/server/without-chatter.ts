/** Next.js times its configuration at each start, and no setting of its own keeps that to itself. */
const CHATTER = /Running next\.config\S* took /;

/** Starts Next.js without that line. Whatever else it says is said, and its errors are its errors. */
export async function withoutChatter<T>(
	terminal: Pick<Console, "log">,
	start: () => Promise<T>,
): Promise<T> {
	const { log } = terminal;
	terminal.log = (...words: unknown[]) => {
		if (!CHATTER.test(String(words[0]))) log.apply(terminal, words);
	};
	try {
		return await start();
	} finally {
		terminal.log = log;
	}
}
