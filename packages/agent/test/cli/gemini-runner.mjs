// Runs one turn of the built Gemini agent in a process of its own, for tests that kill it.
// Its events, and what it remembers, are lines on standard output.
import { createCliAgent, geminiCli } from "@baton/agent/cli";

const { options, turn } = JSON.parse(process.env.RUNNER_INPUT);
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
let memory = turn.memory ?? {};

const events = createCliAgent(geminiCli(), options).run({
	...turn,
	signal: new AbortController().signal,
	history: async () => [],
	announce() {},
	memory: {
		get: () => memory,
		async set(changes) {
			memory = { ...memory, ...changes };
			print({ memory });
		},
	},
});
for await (const event of events) print({ event });
print({ done: true });
