import type { Config } from "../config/config";
import type { Address } from "../http/address";

interface Addresses {
	web: Address;
	gateway: Address;
	/** Null: this door is off. */
	a2a: Address | null;
}

/** Where a start with this configuration listens. */
export function addressesOf({ host, port, gateway, a2a }: Config): Addresses {
	return {
		web: { host, port, variables: { host: "BATON_HOST", port: "BATON_PORT" } },
		gateway: {
			host: gateway.host,
			port: gateway.port,
			variables: { host: "PROJ_JARVIS_HOST", port: "PROJ_JARVIS_PORT" },
		},
		a2a:
			a2a.port === "off"
				? null
				: { host, port: a2a.port, variables: { host: "BATON_HOST", port: "BATON_A2A_PORT" } },
	};
}
