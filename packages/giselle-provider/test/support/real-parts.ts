import { fileURLToPath } from "node:url";
import { freePort, type NodeProcess, type RedisServer, spawnNode, tempDir } from "@baton/testkit";

const CLI = fileURLToPath(new URL("../../../baton/dist/cli.js", import.meta.url));
const INSTANCE = fileURLToPath(new URL("./instance.mjs", import.meta.url));

export const KEY = "ada-key-0123456789abcdef";

/** A process that can be killed and started again under the same address. */
export interface Restartable {
	readonly url: string;
	readonly process: NodeProcess;
	kill(): Promise<void>;
	restart(): Promise<void>;
	stop(): Promise<void>;
}

/** The agent API of this repository, as its command serves it. */
export async function startBaton(redis: RedisServer): Promise<Restartable> {
	const port = await freePort();
	const folder = await tempDir("baton-provider");
	const start = async () => {
		const child = spawnNode(CLI, {
			args: ["start"],
			env: {
				BATON_PORT: `${port}`,
				PROJ_JARVIS_PORT: "0",
				BATON_A2A_PORT: "off",
				BATON_API_KEYS: `ada:${KEY}`,
				BATON_RATE_PER_MINUTE: "1000000",
				BATON_DATA_DIR: folder.path,
				REDIS_URL: redis.url,
				BATON_LOG_LEVEL: "warn",
			},
		});
		await child.waitForLine((line) => line.includes("curl -N"), 20_000);
		return child;
	};
	return restartable(`http://127.0.0.1:${port}`, await start(), start, () => folder.remove());
}

/** A process with the provider in it. Its port changes with each start. */
export async function startInstance(redis: RedisServer, apiUrl: string): Promise<Restartable> {
	let url = "";
	const start = async () => {
		const child = spawnNode(INSTANCE, {
			env: { REDIS_URL: redis.url, AGENT_API_URL: apiUrl, AGENT_API_KEY: KEY },
		});
		const line = await child.waitForLine("listening");
		url = `http://127.0.0.1:${line.split(" ")[1]}`;
		return child;
	};
	return restartable(() => url, await start(), start);
}

function restartable(
	url: string | (() => string),
	first: NodeProcess,
	start: () => Promise<NodeProcess>,
	cleanUp: () => Promise<void> = async () => {},
): Restartable {
	let child = first;
	const kill = async () => {
		child.kill("SIGKILL");
		await child.exited;
	};
	return {
		get url() {
			return typeof url === "string" ? url : url();
		},
		get process() {
			return child;
		},
		kill,
		async restart() {
			child = await start();
		},
		async stop() {
			await kill();
			await cleanUp();
		},
	};
}
