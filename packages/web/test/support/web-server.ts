import { fileURLToPath } from "node:url";
import { freePort, type NodeProcess, spawnNode, tempDir } from "@baton/testkit";

const CLI = fileURLToPath(new URL("../../../baton/dist/cli.js", import.meta.url));

/** Nothing of the machine that runs the tests decides what is tested. */
const CLEAN = Object.fromEntries(
	Object.keys(process.env)
		.filter((name) => !["PATH", "TMPDIR"].includes(name))
		.map((name) => [name, undefined]),
);

/** The server with the web app in it: one process, that can be killed and started again. */
export interface WebServer {
	readonly url: string;
	readonly process: NodeProcess;
	/** The line to try, as it is printed, with the made key in it. */
	readonly tryIt: string;
	/** SIGKILL: nothing is said good-bye to. */
	kill(): Promise<void>;
	restart(): Promise<void>;
	stop(): Promise<void>;
}

/** Starts the real command, with a data folder and ports of its own. */
export async function startWeb(env: Record<string, string> = {}): Promise<WebServer> {
	const folder = await tempDir("baton-web");
	const [web, gateway, a2a] = await Promise.all([freePort(), freePort(), freePort()]);
	let tryIt = "";
	const start = async () => {
		const child = spawnNode(CLI, {
			args: ["start"],
			env: {
				...CLEAN,
				NODE_ENV: "production",
				HOME: folder.path,
				BATON_PORT: `${web}`,
				PROJ_JARVIS_PORT: `${gateway}`,
				BATON_A2A_PORT: `${a2a}`,
				BATON_RATE_PER_MINUTE: "100000",
				BATON_LOG_LEVEL: "warn",
				...env,
			},
		});
		tryIt = await child.waitForLine((line) => line.includes("agent-api/run -H"), 60_000);
		return child;
	};
	let child = await start();
	const kill = async () => {
		child.kill("SIGKILL");
		await child.exited;
	};
	return {
		url: `http://127.0.0.1:${web}`,
		get process() {
			return child;
		},
		get tryIt() {
			return tryIt;
		},
		kill,
		async restart() {
			child = await start();
		},
		async stop() {
			await kill();
			await folder.remove();
		},
	};
}
