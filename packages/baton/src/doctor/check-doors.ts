import { join } from "node:path";
import type { Agents } from "../agents/agents";
import { createAgents } from "../agents/create-agents";
import { openWorkspace } from "../agents/open-workspace";
import type { Config } from "../config/config";
import { ConfigError } from "../config/config-error";
import { readRemoteAgents, servedAgents } from "../doors/a2a-agents";
import { TOKEN_FILE, TOKEN_FORM } from "../keys/gateway-tokens";
import { readKey } from "../keys/local-key";
import { addressesOf } from "../start/addresses";
import type { RunningServer } from "../start/server-file";
import { StartError } from "../start/start-error";
import type { Check } from "./check";
import { checkAddress } from "./check-address";

/** The doors with ports of their own: where they are, who may come in, which agents are behind them. */
export async function checkDoors(config: Config, server: RunningServer | null): Promise<Check[]> {
	const workspace = await openWorkspace(config, () => agents);
	const agents: Agents = createAgents(config, workspace);
	const { gateway, a2a } = addressesOf(config);
	return [
		await checkAddress("gateway", gateway, "baton-gateway", server?.gateway),
		await checkGatewayToken(config),
		await checkGatewayAgents(workspace),
		...(a2a
			? [
					await checkAddress("a2a", a2a, "baton-a2a", server?.a2a),
					checkA2aKeys(config),
					await checkA2aAgents(config, agents),
				]
			: [{ name: "a2a", status: "idle", detail: "BATON_A2A_PORT is off" } as const]),
	];
}

async function checkGatewayToken({ gateway, dataDir }: Config): Promise<Check> {
	const name = "gateway token";
	if (gateway.token !== undefined) {
		const where = gateway.tokenFile === undefined ? "" : ` in ${gateway.tokenFile}`;
		return { name, status: "ok", detail: `PROJ_JARVIS_TOKEN is set${where}` };
	}
	const path = join(dataDir, TOKEN_FILE);
	try {
		const token = await readKey(path, TOKEN_FORM);
		const detail = token === null ? `one will be made in ${path}` : `in ${path}`;
		return { name, status: "ok", detail };
	} catch (error) {
		if (!(error instanceof StartError)) throw error;
		return { name, status: "fail", detail: error.message };
	}
}

async function checkGatewayAgents(
	workspace: Awaited<ReturnType<typeof openWorkspace>>,
): Promise<Check> {
	const { agents, warnings } = await workspace.list();
	const served = agents.map(({ id, model, notice }) => `${id} (${notice ?? model})`);
	return {
		name: "gateway agents",
		status: warnings.length > 0 ? "warn" : "ok",
		detail: [served.join(", "), ...warnings].join("; "),
	};
}

function checkA2aKeys({ a2a }: Config): Check {
	const known = [
		"those of the agent API",
		a2a.apiKey && "BATON_A2A_API_KEY",
		a2a.jwt && `tokens of ${a2a.jwt.issuer}`,
	];
	return { name: "a2a keys", status: "ok", detail: known.filter(Boolean).join(", ") };
}

async function checkA2aAgents(config: Config, agents: Agents): Promise<Check> {
	const name = "a2a agents";
	try {
		const served = servedAgents(config, agents).map((agent) => {
			const replacement = agents.replacementOf(agent.name);
			return replacement ? `${agent.name} (${replacement.reason})` : agent.name;
		});
		const remote = (await readRemoteAgents(config)).map(({ alias }) => `${alias} (elsewhere)`);
		return { name, status: "ok", detail: [...served, ...remote].join(", ") };
	} catch (error) {
		if (!(error instanceof ConfigError)) throw error;
		const reasons = error.problems.map((problem) => `${problem.name}: ${problem.reason}`);
		return { name, status: "fail", detail: reasons.join("; ") };
	}
}
