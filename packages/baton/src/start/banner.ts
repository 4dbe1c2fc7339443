import { styleText } from "node:util";
import { missingVariable } from "../agents/agent-kind";
import type { Config } from "../config/config";
import { VERSION } from "../version";
import type { Baton } from "./start-baton";

interface BannerParts {
	config: Config;
	home: string;
	baton: Pick<Baton, "url" | "agents" | "doors">;
	/** How this command is called here. */
	command: string;
	/** The made key of this machine. Keys that were set are not shown. */
	key: string | undefined;
	readyMs: number;
	colours: boolean;
}

type Style = Parameters<typeof styleText>[0];

/** What a person sees at the start: where the doors are, what is behind them, a line to try. */
export function banner(parts: BannerParts): string {
	const { config, home, baton, command, key, readyMs, colours } = parts;
	const paint = (style: Style, text: string) => (colours ? styleText(style, text) : text);
	const known = baton.agents.find(config.agent);
	const missing = known ? missingVariable(known) : undefined;
	const rows = [
		...(config.web ? [["Web", baton.url]] : []),
		["Agent API", `${baton.url}/agent-api/run`],
		...baton.doors.map(({ name, url, note }) => [name, note ? `${url}  (${note})` : url]),
		["Agent", baton.agents.replacementOf(config.agent)?.reason ?? describeAgent(config.agent)],
		["Sessions", describeStore(config, home)],
	];
	const bearer = key ?? "<a key of BATON_API_KEYS>";
	const call = `curl -N ${baton.url}/agent-api/run -H "Authorization: Bearer ${bearer}" -d '{"type":"agent.run","message":"Hello!"}'`;
	const notes = [...config.warnings, ...exposure(config)].map((note) => paint("yellow", note));
	const hint = missing ? `Set ${missing} for the real one.` : nextStep(config.agent, command);
	return `${[
		"",
		`${paint("bold", `Baton ${VERSION}`)}  ${paint("dim", `ready in ${(readyMs / 1000).toFixed(2)} s`)}`,
		"",
		...rows.map(([name = "", value]) => `${paint("dim", name.padEnd(10))}  ${value}`),
		"",
		paint("dim", "Try it:"),
		call,
		...baton.doors.flatMap(({ tryIt }) => (tryIt ? [tryIt.replaceAll("<key>", bearer)] : [])),
		"",
		...(hint ? [paint("dim", hint), ""] : []),
		...(notes.length > 0 ? [...notes, ""] : []),
	]
		.map((line) => (line === "" ? "" : `  ${line}`))
		.join("\n")}\n`;
}

function describeAgent(name: string): string {
	return name === "demo" ? "demo (offline, needs no key)" : name;
}

function describeStore({ redis, dataDir }: Config, home: string): string {
	if (redis) return `Redis (${redis.variable})`;
	return `files in ${dataDir.startsWith(`${home}/`) ? `~${dataDir.slice(home.length)}` : dataDir}`;
}

function nextStep(agent: string, command: string): string | undefined {
	if (agent !== "demo") return undefined;
	return `For a real agent set BATON_AGENT=gemini and GEMINI_API_KEY. What is missing: ${command} doctor`;
}

function exposure({ host, web, webOwner, publicUrl }: Config): string[] {
	const isOpen = !/^(127\.|localhost$|::1$)/.test(host);
	return [
		...(isOpen
			? ["Other machines can reach this server, and it speaks no TLS: put a proxy in front of it."]
			: []),
		...(web && webOwner !== undefined && (isOpen || publicUrl)
			? [`Whoever opens the web app is ${webOwner} (BATON_WEB_OWNER): let nobody else reach it.`]
			: []),
	];
}
