import { fileURLToPath } from "node:url";
import { freePort, spawnNode, tempDir } from "@baton/testkit";

const CLI = fileURLToPath(new URL("../packages/baton/dist/cli.js", import.meta.url));
const KEY = "bench-key-0123456789abcdef";

/** A Baton of its own, as `npm start` runs it, with the demo agent. */
export async function startBaton(env = {}) {
	const home = await tempDir("baton-bench");
	const port = await freePort();
	const child = spawnNode(CLI, {
		args: ["start"],
		env: {
			HOME: home.path,
			BATON_DATA_DIR: `${home.path}/data`,
			BATON_PORT: String(port),
			PROJ_JARVIS_PORT: "0",
			BATON_A2A_PORT: "off",
			BATON_API_KEYS: `bench:${KEY}`,
			BATON_RATE_PER_MINUTE: "100000",
			BATON_NEWCOMERS_PER_MINUTE: "100000",
			BATON_LOG_LEVEL: "error",
			...env,
		},
	});
	const url = `http://127.0.0.1:${port}`;
	await waitUntilServing(url, child);
	return {
		url,
		child,
		headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
		async stop() {
			await child.stop();
			await home.remove();
		},
	};
}

async function waitUntilServing(url, child) {
	for (let tries = 0; tries < 400; tries++) {
		const answer = await fetch(`${url}/health`).catch(() => null);
		if (answer?.ok) return;
		await new Promise((resolve) => setTimeout(resolve, 25));
	}
	throw new Error(`Baton did not start: ${child.stderr}`);
}
