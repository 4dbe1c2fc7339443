import type { ChildProcess } from "node:child_process";
import { type Exit, exitOf, spawnChild } from "./child";
import { freePort } from "./free-port";
import { pidOf } from "./redis-admin";
import { type TempDir, tempDir } from "./temp-dir";
import { waitFor } from "./wait-for";

export interface RedisOptions {
	/** Keep data through `restart()`: every write is in the append-only file before its reply. */
	appendOnly?: boolean;
	/** More lines of redis.conf, such as `{ maxmemory: "2mb" }`. */
	extraConfig?: Record<string, string>;
}

export interface RedisServer {
	readonly host: string;
	readonly port: number;
	readonly url: string;
	/** The folder it writes to. */
	readonly dir: string;
	/** Of the running process; a restart changes it. */
	readonly pid: number;
	/** Ends the process if it still runs, and starts one on the same port and folder. */
	restart(): Promise<void>;
	/** Sends a signal, SIGKILL by default, and waits for the end if the signal is one that ends it. */
	kill(signal?: NodeJS.Signals): Promise<void>;
	/** Stops the process where it is (SIGSTOP): connections stay open and nothing answers. */
	pause(): void;
	resume(): void;
	/** Ends the process and removes its folder. */
	stop(): Promise<void>;
}

/** How to launch: what differs between a plain server, a cluster node and a sentinel. */
interface LaunchOptions {
	prefix: string;
	choosePort?: () => Promise<number>;
	/** The arguments of redis-server. */
	args(port: number, dir: string): string[] | Promise<string[]>;
}

const HOST = "127.0.0.1";
const LAUNCH_ATTEMPTS = 5;
const PORT_TAKEN = /Address already in use|Failed listening/;
const ENDING = new Set<NodeJS.Signals>(["SIGKILL", "SIGTERM", "SIGINT", "SIGQUIT"]);

/** A real redis-server of its own; without `appendOnly` its data ends with its process. */
export function startRedis({ appendOnly, extraConfig }: RedisOptions = {}): Promise<RedisServer> {
	return launchRedis({
		prefix: "baton-redis",
		args: (port, dir) => serverArgs(port, dir, { appendOnly, extraConfig }),
	});
}

export function serverArgs(port: number, dir: string, options: RedisOptions): string[] {
	const config = serverConfig(port, dir, options);
	return Object.entries(config).flatMap(([name, value]) => [`--${name}`, value]);
}

export function serverConfig(
	port: number,
	dir: string,
	options: RedisOptions,
): Record<string, string> {
	return {
		port: `${port}`,
		bind: HOST,
		dir,
		save: "",
		appendonly: options.appendOnly ? "yes" : "no",
		appendfsync: "always",
		...options.extraConfig,
	};
}

/** Starts redis-server and waits until it answers; a port lost to someone else is drawn again. */
export async function launchRedis(launch: LaunchOptions): Promise<RedisServer> {
	const folder = await tempDir(launch.prefix);
	for (let attempt = 1; ; attempt++) {
		const port = await (launch.choosePort ?? freePort)();
		const args = await launch.args(port, folder.path);
		try {
			return redisHandle(port, folder, args, await startProcess(port, args));
		} catch (error) {
			if (attempt < LAUNCH_ATTEMPTS && PORT_TAKEN.test(String(error))) continue;
			await folder.remove();
			throw error;
		}
	}
}

interface RunningRedis {
	child: ChildProcess;
	exited: Promise<Exit>;
}

async function startProcess(port: number, args: string[]): Promise<RunningRedis> {
	const child = spawnChild("redis-server", args, { stdio: ["ignore", "pipe", "pipe"] });
	let output = "";
	for (const stream of [child.stdout!, child.stderr!]) {
		stream.setEncoding("utf8").on("data", (text: string) => {
			output = (output + text).slice(-4_000);
		});
	}
	const exited = exitOf(child);
	let ended = false;
	exited.finally(() => {
		ended = true;
	});
	// By pid, since another process's Redis may answer on a port that this one failed to take.
	await waitFor(async () => ended || (await pidOf(port)) === child.pid, {
		what: `redis-server on port ${port} to answer`,
	});
	if (!ended) return { child, exited };
	throw new Error(`redis-server ended at its start (${JSON.stringify(await exited)}):\n${output}`);
}

function redisHandle(
	port: number,
	folder: TempDir,
	args: string[],
	running: RunningRedis,
): RedisServer {
	let { child, exited } = running;
	const kill = async (signal: NodeJS.Signals = "SIGKILL") => {
		child.kill(signal);
		if (ENDING.has(signal)) await exited;
	};
	return {
		host: HOST,
		port,
		url: `redis://${HOST}:${port}`,
		dir: folder.path,
		get pid() {
			return child.pid!;
		},
		kill,
		pause: () => void child.kill("SIGSTOP"),
		resume: () => void child.kill("SIGCONT"),
		async restart() {
			child.kill("SIGCONT");
			await kill("SIGTERM");
			({ child, exited } = await startProcess(port, args));
		},
		async stop() {
			await kill();
			await folder.remove();
		},
	};
}
