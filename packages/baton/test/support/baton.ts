import { fileURLToPath } from "node:url";
import { type Exit, type NodeProcess, spawnNode } from "@baton/testkit";
import { SETTING_NAMES } from "../../src/config/settings";

export const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

/** Nothing of the machine that runs the tests decides what is tested. */
const CLEAN = Object.fromEntries(
	[...SETTING_NAMES, "BATON_CONFIG", "BATON_FULL"].map((name) => [name, undefined]),
);

/** The environment of this process, with no setting in it. */
export function cleanEnv(): NodeJS.ProcessEnv {
	return { ...process.env, ...CLEAN };
}

export interface RunOptions {
	home: string;
	env?: Record<string, string>;
}

/** Without the web app, which most tests have no use for. */
const LEAN = {
	BATON_PORT: "0",
	PROJ_JARVIS_PORT: "0",
	BATON_A2A_PORT: "0",
	BATON_WEB: "off",
};

/** Runs the real command in a process of its own, on any free port unless the test says which. */
function spawnBaton(args: string[], { home, env }: RunOptions): NodeProcess {
	return spawnNode(CLI, { args, env: { ...CLEAN, HOME: home, ...LEAN, ...env } });
}

interface Ended {
	exit: Exit;
	stdout: string;
	stderr: string;
}

/** Runs a command that ends by itself. */
export async function runBaton(args: string[], options: RunOptions): Promise<Ended> {
	const child = spawnBaton(args, options);
	const lines: string[] = [];
	for await (const line of child.lines) lines.push(line);
	return { exit: await child.exited, stdout: lines.join("\n"), stderr: child.stderr };
}

export interface Server {
	process: NodeProcess;
	url: string;
	key: string;
	/** The line to try, as it is printed. */
	curl: string;
	banner: string;
	/** Calls the agent API. */
	call(path: string, body: unknown, init?: RequestInit): Promise<Response>;
}

/** Starts the server and waits until it says where it is. */
export async function startServer(options: RunOptions, args: string[] = []): Promise<Server> {
	const child = spawnBaton(["start", ...args], options);
	const curl = (await child.waitForLine((line) => line.includes("curl -N"), 25_000)).trim();
	const [, url = ""] = /curl -N (http:\/\/\S+)\/agent-api\/run/.exec(curl) ?? [];
	const printed = /Bearer ([\w-]+)"/.exec(curl)?.[1];
	const key = printed ?? /^[^:]+:([^,]+)/.exec(options.env?.BATON_API_KEYS ?? "")?.[1] ?? "";
	const said: string[] = [];
	for await (const line of child.lines) {
		said.push(line);
		if (line.includes("curl -N")) break;
	}
	return {
		process: child,
		url,
		key,
		curl,
		banner: said.join("\n"),
		call: (path, body, init) =>
			fetch(`${url}/agent-api/${path}`, {
				method: "POST",
				headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
				body: JSON.stringify(body),
				...init,
			}),
	};
}
