// Follows one session and prints each event as a line: node reading-client.mjs <url> <token> <key>
import { connectGateway } from "@baton/gateway/client";

const [url, token, sessionKey] = process.argv.slice(2);
const client = connectGateway({
	url,
	token,
	minPauseMs: 20,
	maxPauseMs: 200,
	heartbeatMs: 500,
	timeoutMs: 1_000,
	onState: (state) => process.stdout.write(`${state}\n`),
});
client.subscribe(sessionKey, (event) => process.stdout.write(`${JSON.stringify(event)}\n`), {
	after: 0,
});
