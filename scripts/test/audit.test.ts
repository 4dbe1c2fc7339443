import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { auditDependencies } from "../lib/audit.mjs";

/** A published advisory, as the registry sends it. */
const MINIMIST = {
	id: 1097678,
	url: "https://github.com/advisories/GHSA-xvch-5gv4-984h",
	title: "Prototype Pollution in minimist",
	severity: "critical",
	vulnerable_versions: "<0.2.4",
	cwe: ["CWE-1321"],
	cvss: { score: 9.8, vectorString: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H" },
};

let server: Server | undefined;

afterEach(async () => {
	server?.closeAllConnections();
	await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
	server = undefined;
});

async function registry(answer: RequestListener): Promise<string> {
	server = createServer(answer);
	const listening = server;
	await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
	return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

/** A registry that knows of one advisory, and is asked as npm asks. */
const knowing = (advisory: object) =>
	registry(async (request, response) => {
		let body = "";
		for await (const piece of request) body += piece;
		const asked = request.url === "/-/npm/v1/security/advisories/bulk" && JSON.parse(body);
		response.setHeader("content-type", "application/json");
		response.end(JSON.stringify(asked?.minimist ? { minimist: [advisory] } : {}));
	});

describe("the dependency audit", () => {
	it("fails on a known vulnerability that is grave, and names it", async () => {
		const packages = { minimist: ["0.0.8"], zod: ["4.3.6"] };
		const outcome = await auditDependencies({ packages, registry: await knowing(MINIMIST) });
		expect(outcome.status).toBe("failed");
		expect(outcome.output).toContain("critical: minimist 0.0.8: Prototype Pollution");
		expect(outcome.output).toContain(MINIMIST.url);
	});

	it("passes where the version is another, or the matter is small", async () => {
		const fixed = { packages: { minimist: ["1.2.8"] }, registry: await knowing(MINIMIST) };
		expect(await auditDependencies(fixed)).toMatchObject({ status: "passed" });
		server?.close();
		const small = await knowing({ ...MINIMIST, severity: "low" });
		const outcome = await auditDependencies({ packages: { minimist: ["0.0.8"] }, registry: small });
		expect(outcome).toEqual({ status: "passed", note: "1 packages, 1 lesser advisories" });
	});

	it.each<[string, RequestListener]>([
		["refuses", (_, response) => response.writeHead(405).end()],
		["answers something else", (_, response) => response.end("<html>")],
		["answers in another shape", (_, response) => response.end('{"error":"no"}')],
		["cuts the connection", (request) => request.socket.destroy()],
	])("is skipped, and says so, when the registry %s", async (_, answer) => {
		const options = { packages: { minimist: ["0.0.8"] }, registry: await registry(answer) };
		const outcome = await auditDependencies(options);
		expect(outcome.status).toBe("skipped");
		expect(outcome.output).toContain("Nothing is known about vulnerabilities in this run");
	});

	it("asks about what Baton ships, and not about what tests need", async () => {
		let asked: Record<string, string[]> = {};
		const address = await registry(async (request, response) => {
			let body = "";
			for await (const piece of request) body += piece;
			asked = JSON.parse(body);
			response.end("{}");
		});
		expect(await auditDependencies({ registry: address })).toMatchObject({ status: "passed" });
		expect(Object.keys(asked)).toEqual(expect.arrayContaining(["ioredis", "zod", "pino"]));
		expect(Object.keys(asked)).not.toContain("vitest");
	});
});
