import { describe, expect, it } from "vitest";
import { parseAgentsFile } from "./parse-agents-file";

describe("parseAgentsFile", () => {
	it("reads headings with their Model and Description lines", () => {
		const text = `# Agents

Intro. Model: not-an-agent

## assistant
Model: anthropic/claude-opus-4-6
Description: Helps with everything.

Some prose that goes on.

## Code Reviewer
- **Model:** \`openai/gpt-5\`
- **Description:** Reads: carefully.
### Model
Model: a/later-one
`;
		expect(parseAgentsFile(text)).toEqual({
			agents: [
				{
					id: "assistant",
					name: "assistant",
					model: "anthropic/claude-opus-4-6",
					description: "Helps with everything.",
				},
				{
					id: "code-reviewer",
					name: "Code Reviewer",
					model: "a/later-one",
					description: "Reads: carefully.",
				},
			],
			warnings: [],
		});
	});

	it("takes any line end, a byte order mark, and names with signs in them", () => {
		const text = "\uFEFF## C++ (.*) [x]\r\nModel: demo\r\n\r\n## Zoë ##\rmodel: demo";
		expect(parseAgentsFile(text).agents.map(({ id }) => id)).toEqual(["c-x", "zoe"]);
	});

	it("sees no agents in code, and says what it leaves out", () => {
		const text = "```\n## inside\n```\n## ???\n## one\n## One\nModel: other\n";
		expect(parseAgentsFile(text)).toEqual({
			agents: [{ id: "one", name: "one", description: "" }],
			warnings: [
				'The heading "## ???" has no letters to name an agent by.',
				'There are two agents "one"; the first counts.',
			],
		});
	});

	it("is quick with a file that means harm", () => {
		const begin = performance.now();
		parseAgentsFile(
			`## ${" ".repeat(200_000)}x\n${"Model:".repeat(50_000)}\n${"#".repeat(200_000)}`,
		);
		parseAgentsFile("## a\n".repeat(100_000));
		expect(performance.now() - begin).toBeLessThan(5_000);
	});
});
