import { z } from "zod";
import { type Address, refusalOf } from "../http/address";
import { urlOf } from "../http/listen";
import type { Check } from "./check";

const healthSchema = z.object({
	status: z.string(),
	service: z.string(),
	uptime: z.number().optional(),
});

type Health = z.infer<typeof healthSchema>;

/** What the doors of a Baton call themselves at `/health`. */
type Service = "baton" | "baton-gateway" | "baton-a2a";

interface AddressCheck extends Check {
	/** Whether a Baton answers there now. */
	running: boolean;
}

/**
 * Whether an address is free, or served by Baton already. `said` is where the running server of the
 * data folder says that it listens.
 */
export async function checkAddress(
	name: string,
	address: Address,
	service: Service,
	said: string | undefined,
): Promise<AddressCheck> {
	const { host, port, variables } = address;
	const found = said === undefined ? null : await readHealth(said, service);
	if (said !== undefined && found) return { name, ...answers(said, found), running: true };
	if (port === 0) {
		return { name, status: "ok", detail: `any free port of ${host} will do`, running: false };
	}
	const refused = await refusalOf(address);
	if (refused === null) {
		return { name, status: "ok", detail: `${host}:${port} is free`, running: false };
	}
	const url = urlOf(host, port);
	const health = refused.code === "EADDRINUSE" ? await readHealth(url, service) : null;
	if (health) {
		const { detail } = answers(url, health);
		const other = `${detail}, and this data folder does not know it; set ${variables.port} for one beside it`;
		return { name, status: "warn", detail: other, running: true };
	}
	const detail =
		refused.code === "EADDRINUSE"
			? `${host}:${port} is taken by another program; set ${variables.port}`
			: `cannot listen on ${host}:${port} (${refused.code}); correct ${variables.host} and ${variables.port}`;
	return { name, status: "fail", detail, running: false };
}

function answers(url: string, { status, uptime }: Health) {
	const since = uptime === undefined ? "" : `, for ${uptime} s`;
	return { status: "ok", detail: `Baton answers at ${url}, ${status}${since}` } as const;
}

/** What a Baton says of itself at an address; null when none answers there. */
export async function readHealth(url: string, service: Service = "baton"): Promise<Health | null> {
	try {
		const response = await fetch(`${url.replace(/^ws/, "http")}/health`, {
			signal: AbortSignal.timeout(2_000),
		});
		const health = healthSchema.parse(await response.json());
		return health.service === service ? health : null;
	} catch {
		return null;
	}
}
