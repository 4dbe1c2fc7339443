import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { freePort, spawnNode, startTcpProxy, tempDir, waitFor } from "@baton/testkit";

const CLI = fileURLToPath(new URL("../packages/baton/dist/cli.js", import.meta.url));
const BROKEN = fileURLToPath(new URL("./broken/register.mjs", import.meta.url));
export const KEY = randomBytes(32).toString("base64url");
export const TOKEN = "chaos-token-0123456789abcdef";

/** Settings of whoever runs this are none of the instances'. */
const NOTHING_INHERITED = Object.fromEntries(
	Object.keys(process.env)
		.filter((name) => !["PATH", "TMPDIR", "LANG"].includes(name))
		.map((name) => [name, undefined]),
);

/**
 * Several Baton processes on one Redis. Clients reach each through a proxy that can cut and slow
 * them, at an address that stays the same when the process behind it is killed and started anew.
 */
export async function startInstances(count, { redisUrl, broken }) {
	const instances = [];
	const stop = async () => {
		await Promise.all(instances.map((instance) => instance.stop()));
	};
	try {
		for (let index = 0; index < count; index++) {
			instances.push(await startInstance(index, redisUrl, broken));
		}
	} catch (error) {
		await stop();
		throw error;
	}
	return { all: instances, stop };
}

async function startInstance(index, redisUrl, broken) {
	const home = await tempDir(`baton-chaos-${index}`);
	// As at home: whoever has this key, the token or the page is the same owner.
	await mkdir(`${home.path}/data`);
	await writeFile(`${home.path}/data/api-key`, KEY, { mode: 0o600 });
	const [port, gatewayPort, a2aPort] = [await freePort(), await freePort(), await freePort()];
	const http = await startTcpProxy({ targetPort: port });
	const gateway = await startTcpProxy({ targetPort: gatewayPort });
	const a2a = await startTcpProxy({ targetPort: a2aPort });
	const proxies = [http, gateway, a2a];
	const env = {
		...NOTHING_INHERITED,
		HOME: home.path,
		BATON_DATA_DIR: `${home.path}/data`,
		BATON_PORT: String(port),
		PROJ_JARVIS_PORT: String(gatewayPort),
		PROJ_JARVIS_TOKEN: TOKEN,
		BATON_A2A_PORT: String(a2aPort),
		BATON_RATE_PER_MINUTE: "1000000",
		RATE_LIMIT_A2A: "1000000",
		// Both: Sentinel may promote either.
		BATON_REDIS_WAIT_REPLICAS: "2",
		REDIS_URL: redisUrl,
		BATON_LOG_LEVEL: "fatal",
		...(broken && { NODE_OPTIONS: `--import ${BROKEN}`, BATON_CHAOS_BREAK: broken }),
	};
	let child;
	let ended = true;
	const launch = () => {
		child = spawnNode(CLI, { args: ["start"], env });
		ended = false;
		child.exited.then(() => {
			ended = true;
		});
	};
	// As a supervisor would: it ends at its start when Redis does not answer just then.
	const serve = () =>
		waitFor(
			async () => {
				if (ended) launch();
				return (await fetch(`http://127.0.0.1:${port}/health`)).ok;
			},
			{ timeoutMs: 120_000, everyMs: 100, what: `instance ${index} to serve` },
		);
	const stop = async () => {
		child?.kill("SIGCONT");
		await child?.stop();
		for (const proxy of proxies) await proxy.stop();
		await home.remove();
	};
	try {
		await serve();
	} catch (error) {
		await stop();
		throw new Error(`${error.message} ${child.stderr}`);
	}
	return {
		name: `instance ${index}`,
		url: `http://127.0.0.1:${http.port}`,
		gatewayUrl: `ws://127.0.0.1:${gateway.port}`,
		a2aUrl: `http://127.0.0.1:${a2a.port}`,
		cutConnections: () => {
			for (const proxy of proxies) proxy.dropConnections();
		},
		/** Replies reach clients this much later. */
		slowDown: (ms) => {
			for (const proxy of proxies) proxy.delay(ms);
		},
		/** Ends the process at once (SIGKILL) and starts another in its place. */
		async replace() {
			child.kill("SIGKILL");
			await child.exited;
			await serve();
		},
		freeze: () => child.kill("SIGSTOP"),
		thaw: () => child.kill("SIGCONT"),
		stop,
	};
}
