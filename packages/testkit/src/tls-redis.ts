import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { freePort } from "./free-port";
import { startRedis } from "./redis-server";
import { tempDir } from "./temp-dir";

export interface TlsRedis {
	/** `rediss://…`. Its certificate is one that nobody vouches for. */
	readonly url: string;
	stop(): Promise<void>;
}

/** A real redis-server that speaks TLS. Needs `openssl`. */
export async function startTlsRedis(): Promise<TlsRedis> {
	const folder = await tempDir();
	const key = join(folder.path, "key.pem");
	const certificate = join(folder.path, "certificate.pem");
	await promisify(execFile)("openssl", [
		...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2"],
		...["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
		...["-keyout", key, "-out", certificate],
	]);
	const tlsPort = await freePort();
	const redis = await startRedis({
		extraConfig: {
			"tls-port": `${tlsPort}`,
			"tls-cert-file": certificate,
			"tls-key-file": key,
			"tls-ca-cert-file": certificate,
			"tls-auth-clients": "no",
		},
	});
	return {
		url: `rediss://127.0.0.1:${tlsPort}`,
		async stop() {
			await redis.stop();
			await folder.remove();
		},
	};
}
