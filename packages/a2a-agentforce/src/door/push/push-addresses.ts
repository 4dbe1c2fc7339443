import { type LookupAddress, lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "./public-address";

export interface PushRules {
	/** Hosts that may be called: `hooks.example.com`, `*.example.com`. Undefined: any. */
	hosts?: readonly string[] | undefined;
	/** Whether loopback, private and link-local addresses may be called. Default: no. */
	allowPrivate?: boolean | undefined;
}

/** Every address of a name, as `dns.lookup` with `all` gives them. */
export type Lookup = (
	host: string,
	done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** A webhook's address that is not called, and why. */
export class AddressRefused extends Error {
	override readonly name = "AddressRefused";
}

const MAX_URL = 2_048;

/** Which addresses webhooks may have. Asked when one is saved, and again when it is connected to. */
export class PushAddresses {
	readonly #rules: PushRules;
	readonly #lookup: Lookup;

	constructor(rules: PushRules, lookup: Lookup = lookupAll) {
		this.#rules = rules;
		this.#lookup = lookup;
	}

	/** The address, if its form and host are allowed. Looks nothing up. */
	parse(text: string): URL {
		if (text.length > MAX_URL || !URL.canParse(text)) throw new AddressRefused("It is no address.");
		const url = new URL(text);
		if (url.protocol !== "https:" && url.protocol !== "http:") {
			throw new AddressRefused("Only http and https are called.");
		}
		if (url.username !== "" || url.password !== "") {
			throw new AddressRefused("Credentials do not go into the address; use authentication.");
		}
		if (!this.#isListed(url.hostname)) throw new AddressRefused("This host is not allowed.");
		const host = hostOf(url);
		if (isIP(host) !== 0) this.#checkAddress(host);
		return url;
	}

	/** Rejects unless the address may be called as things are now. */
	async check(text: string): Promise<void> {
		const host = hostOf(this.parse(text));
		if (isIP(host) !== 0) return;
		await new Promise<void>((resolve, reject) => {
			this.#resolve(host, (error) => (error ? reject(error) : resolve()));
		});
	}

	/**
	 * For the socket itself: what is connected to is what was checked, in one lookup, so a name that
	 * changes its answer gains nothing.
	 */
	readonly lookup: LookupFunction = (host, options, done) => {
		this.#resolve(host, (error, addresses) => {
			if (error) return done(error, "", 0);
			if (options.all) return done(null, addresses);
			done(null, addresses[0]?.address ?? "", addresses[0]?.family ?? 0);
		});
	};

	#resolve(
		host: string,
		done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
	): void {
		this.#lookup(host, (error, addresses) => {
			try {
				if (error || addresses.length === 0) {
					throw new AddressRefused("The host has no address.", { cause: error });
				}
				for (const { address } of addresses) this.#checkAddress(address);
				done(null, addresses);
			} catch (refused) {
				done(refused as Error, []);
			}
		});
	}

	#checkAddress(address: string): void {
		if (this.#rules.allowPrivate || isPublicAddress(address)) return;
		throw new AddressRefused("The address is not a public one.");
	}

	#isListed(hostname: string): boolean {
		const { hosts } = this.#rules;
		if (!hosts || hosts.length === 0) return true;
		const host = hostname.toLowerCase().replace(/\.$/, "");
		return hosts.some((entry) => {
			const listed = entry.toLowerCase();
			return listed.startsWith("*.") ? host.endsWith(listed.slice(1)) : host === listed;
		});
	}
}

/** An IPv6 host without its brackets. */
function hostOf({ hostname }: URL): string {
	return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

const lookupAll: Lookup = (host, done) => systemLookup(host, { all: true }, done);
