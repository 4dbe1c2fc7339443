import { AgentCard, type AgentInterface, type SecurityScheme } from "@a2a-js/sdk";
import { INPUT_MODES } from "../message-input";
import { MAX_WEBHOOKS } from "../push/push-configs";

/** What people and programs read about an agent before they talk to it. */
export interface ServedAgent {
	/** As the turns know it, and its place below `/agents/`. */
	name: string;
	/** For people. Default: the name. */
	title?: string;
	description: string;
	/** Things to ask it. */
	examples?: readonly string[];
}

interface CardOptions {
	agent: ServedAgent;
	/** Where the agent is reached, without a slash at the end. */
	url: string;
	version: string;
	/** Whether tokens of an issuer are taken beside keys. */
	jwt: boolean;
}

const BINDINGS = ["JSONRPC", "HTTP+JSON"];
const VERSIONS = ["1.0", "0.3"];

/** The public card: what is served, where, and how to be let in. */
export function agentCard({ agent, url, version, jwt }: CardOptions): AgentCard {
	return asJson({
		name: agent.title ?? agent.name,
		description: agent.description,
		supportedInterfaces: VERSIONS.flatMap((protocolVersion) =>
			BINDINGS.map(
				(protocolBinding): AgentInterface => ({
					url,
					protocolBinding,
					protocolVersion,
					tenant: "",
				}),
			),
		),
		provider: undefined,
		version,
		documentationUrl: undefined,
		capabilities: {
			streaming: true,
			pushNotifications: true,
			extendedAgentCard: true,
			extensions: [],
		},
		securitySchemes: schemes(jwt),
		securityRequirements: Object.keys(schemes(jwt)).map((scheme) => ({
			schemes: { [scheme]: { list: [] } },
		})),
		defaultInputModes: INPUT_MODES,
		defaultOutputModes: ["text/plain", "application/json"],
		skills: [
			{
				id: "talk",
				name: "Talk",
				description: agent.description,
				tags: ["chat"],
				examples: [...(agent.examples ?? [])],
				inputModes: [],
				outputModes: [],
				securityRequirements: [],
			},
		],
		signatures: [],
		iconUrl: undefined,
	});
}

interface CallerLimits {
	requestsPerMinute: number;
	maxBodyBytes: number;
}

/** For those who were let in: the card, and what they may count on. */
export function extendedAgentCard(card: AgentCard, owner: string, limits: CallerLimits): AgentCard {
	const { capabilities } = card;
	const params = { owner, ...limits, webhooksPerTask: MAX_WEBHOOKS };
	const description = "Who you are here, and your limits.";
	const extension = { uri: "urn:baton:a2a:limits", description, required: false, params };
	return asJson({
		...card,
		capabilities: capabilities && { ...capabilities, extensions: [extension] },
	});
}

function schemes(jwt: boolean): Record<string, SecurityScheme> {
	const bearerFormat = jwt ? "key or JWT" : "key";
	return {
		bearer: {
			scheme: {
				$case: "httpAuthSecurityScheme",
				value: { scheme: "Bearer", description: "Authorization: Bearer <key>", bearerFormat },
			},
		},
		apiKey: {
			scheme: {
				$case: "apiKeySecurityScheme",
				value: { name: "X-API-Key", location: "header", description: "The key in a header" },
			},
		},
	};
}

/** The SDK serves cards by `JSON.stringify`, which would show how its types are made inside. */
function asJson(card: AgentCard): AgentCard {
	const value = () => AgentCard.toJSON(card);
	return Object.defineProperty({ ...card }, "toJSON", { value, enumerable: false });
}
