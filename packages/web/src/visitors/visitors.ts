import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";

const COOKIE = "baton_visitor";
const DAY_S = 24 * 60 * 60;
const LIFETIME_S = 180 * DAY_S;
const OWN = "visitor-";
const VALUE = /^([A-Za-z0-9_-]{1,128})\.(\d{1,12})\.([A-Za-z0-9_-]{43})$/;

interface VisitorsOptions {
	/** What cookies are signed with. */
	secret: string;
	/** Everyone who comes is this owner. Absent: everyone is somebody of their own. */
	everyone?: string | undefined;
	/** Cookies go over TLS alone, however a request came here. Default false. */
	secure?: boolean;
	/** Unix seconds. */
	now?: () => number;
}

interface Visitor {
	owner: string;
	/** Nobody known: somebody of their own from now on. */
	isNew: boolean;
	/** A `Set-Cookie` to send along, if the visitor has none that is good. */
	setCookie: string | null;
}

/** Who a visitor is, by a signed cookie. The one place where a cookie becomes an owner. */
export class Visitors {
	readonly #options: VisitorsOptions;

	constructor(options: VisitorsOptions) {
		this.#options = options;
	}

	resolve(headers: Headers): Visitor {
		const { everyone, secure = false } = this.#options;
		const kept = this.#read(headers.get("cookie"));
		const now = this.#now();
		const isNew = !kept && everyone === undefined;
		if (kept && now - kept.issued < DAY_S) return { owner: kept.owner, isNew, setCookie: null };
		const owner = kept?.owner ?? everyone ?? `${OWN}${randomUUID()}`;
		return { owner, isNew, setCookie: this.#write(owner, now, secure || cameByTls(headers)) };
	}

	#read(cookieHeader: string | null): { owner: string; issued: number } | null {
		const [, owner = "", issued = "", signature = ""] = VALUE.exec(valueIn(cookieHeader)) ?? [];
		if (!this.#mayBe(owner)) return null;
		const expected = Buffer.from(this.#sign(owner, issued));
		const given = Buffer.from(signature);
		if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
		if (this.#now() - Number(issued) > LIFETIME_S) return null;
		return { owner, issued: Number(issued) };
	}

	/** A cookie from a time with other rules does not count. */
	#mayBe(owner: string): boolean {
		const { everyone } = this.#options;
		return everyone === undefined ? owner.startsWith(OWN) : owner === everyone;
	}

	#write(owner: string, now: number, isSecure: boolean): string {
		const value = `${owner}.${now}.${this.#sign(owner, `${now}`)}`;
		const secure = isSecure ? "; Secure" : "";
		return `${COOKIE}=${value}; Path=/; Max-Age=${LIFETIME_S}; HttpOnly; SameSite=Strict${secure}`;
	}

	#sign(owner: string, issued: string): string {
		return createHmac("sha256", this.#options.secret)
			.update(`${owner}.${issued}`)
			.digest("base64url");
	}

	#now(): number {
		return this.#options.now?.() ?? Math.floor(Date.now() / 1_000);
	}
}

/** What ends TLS in front of the app says so. A lie does no harm: it costs the liar a cookie. */
function cameByTls(headers: Headers): boolean {
	return /^\s*https\b/i.test(headers.get("x-forwarded-proto") ?? "");
}

function valueIn(cookieHeader: string | null): string {
	for (const pair of (cookieHeader ?? "").split(";")) {
		const [name, value] = pair.trim().split("=", 2);
		if (name === COOKIE) return value ?? "";
	}
	return "";
}
