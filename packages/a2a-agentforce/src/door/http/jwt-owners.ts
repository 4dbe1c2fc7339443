import { createRemoteJWKSet, type JWTVerifyGetKey, jwtVerify } from "jose";

export interface JwtRules {
	issuer: string;
	audience: string;
	/** Where the issuer publishes its keys, or how to find one. */
	jwks: URL | JWTVerifyGetKey;
}

/** Signatures that need a published key. One that the server could make itself is never taken. */
const ALGORITHMS = [
	"RS256",
	"RS384",
	"RS512",
	"PS256",
	"PS384",
	"PS512",
	"ES256",
	"ES384",
	"EdDSA",
];
const MAX_SUBJECT = 200;

/** Owners by the tokens of one issuer: the subject of a valid token is the owner. */
export class JwtOwners {
	readonly #rules: Omit<JwtRules, "jwks">;
	readonly #keys: JWTVerifyGetKey;

	constructor({ jwks, ...rules }: JwtRules) {
		this.#rules = rules;
		this.#keys = jwks instanceof URL ? createRemoteJWKSet(jwks, { timeoutDuration: 5_000 }) : jwks;
	}

	/** Null for a token that is not valid now, for whatever reason. */
	async resolve(token: string): Promise<string | null> {
		if (token.split(".").length !== 3) return null;
		try {
			const { payload } = await jwtVerify(token, this.#keys, {
				...this.#rules,
				algorithms: ALGORITHMS,
				requiredClaims: ["sub", "exp"],
			});
			// An owner of keys has no colon in its name, and this one no slash: neither is the other.
			const owner = `jwt:${encodeURIComponent(payload.sub ?? "")}`;
			return payload.sub && owner.length <= MAX_SUBJECT ? owner : null;
		} catch {
			return null;
		}
	}
}
