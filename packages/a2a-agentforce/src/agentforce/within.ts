import { AgentforceError } from "./agentforce-error";

/** The work's result, or an error when it takes longer. What is late is left to itself. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => {
			const message = "Agentforce fell silent; the message may have had effects already.";
			reject(new AgentforceError("timeout", message));
		}, ms);
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}
