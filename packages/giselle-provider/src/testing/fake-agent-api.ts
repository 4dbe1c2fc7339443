import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type FakePlace, FakeSession, type FakeStep } from "./fake-session";

export interface FakeRun {
	message: string;
	sessionId: string;
	runId: string;
	body: Record<string, unknown>;
}

export interface FakeAgentApiOptions {
	/** What the agent does in a turn. `init` and `result` are the script's to say. */
	script: (run: FakeRun) => Iterable<FakeStep> | AsyncIterable<FakeStep>;
	/** Number the lines, know idempotency keys, serve attach and abort, as Baton does. Default true. */
	numbered?: boolean;
	/** Answers a call in place of the fake, when it returns a status. */
	refuse?: (path: string, body: Record<string, unknown>) => number | undefined;
}

export interface FakeAgentApi {
	/** For `cloudApiUrl`. */
	readonly url: string;
	/** Bodies of every call to `run`, `relay` and `abort`, in order. */
	readonly calls: { path: string; body: Record<string, unknown> }[];
	/** Answers that were taken. */
	readonly answers: Record<string, unknown>[];
	readonly sessions: ReadonlyMap<string, FakeSession>;
	/** Connections that are open right now. */
	readonly connections: number;
	/** Breaks every open answer. */
	cut(): void;
	close(): Promise<void>;
}

type Place = FakePlace & { session: FakeSession };

/** An agent API with a scripted agent, as a real HTTP server on the loopback address. */
export async function startFakeAgentApi(options: FakeAgentApiOptions): Promise<FakeAgentApi> {
	const { numbered = true } = options;
	const sessions = new Map<string, FakeSession>();
	const tokens = new Map<string, FakeSession>();
	/** What was sent under an idempotency key. */
	const sent = new Map<string, Place>();
	const calls: FakeAgentApi["calls"] = [];
	const answers: FakeAgentApi["answers"] = [];
	const open = new Set<ServerResponse>();
	let url = "";

	const server = createServer((request, response) => {
		serve(request, response).catch(() => response.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

	async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const path = (request.url ?? "").split("?")[0]!.replace("/agent-api/", "");
		const body = await readBody(request);
		calls.push({ path, body });
		const refused = options.refuse?.(path, body);
		if (refused !== undefined) return refuse(response, refused, "REFUSED");
		if (path === "run") return run(body, response);
		if (path === "relay") return relay(body, response);
		if (path === "abort" && numbered) {
			sessions.get(String(body.session_id))?.abort();
			return answer(response, 200, { ok: true });
		}
		refuse(response, 404, "NOT_FOUND");
	}

	async function run(body: Record<string, unknown>, response: ServerResponse): Promise<void> {
		const key = numbered && typeof body.message === "string" ? String(body.idempotency_key) : "";
		const before = sent.get(key);
		const known = before?.session ?? sessions.get(String(body.session_id ?? ""));
		if (body.attach && (!known || !numbered)) return refuse(response, 404, "NOT_FOUND");
		const session = known ?? new FakeSession(randomUUID(), numbered);
		sessions.set(session.id, session);
		const { after, ofRun } = before ?? begin(session, body);
		if (body.idempotency_key !== undefined && key !== "") sent.set(key, { session, after, ofRun });
		const token = randomUUID();
		tokens.set(token, session);
		response.writeHead(200, {
			"content-type": "application/x-ndjson",
			...(sent.has(key) && { "idempotent-replayed": `${before !== undefined}` }),
		});
		const credentials = { sessionId: session.id, token, expiresAt: Date.now() + 600_000 };
		const first = { type: "relay.session", ...credentials, relayUrl: `${url}/agent-api/relay` };
		response.write(`${JSON.stringify(first)}\n`);
		for (const request of session.pending) {
			if (!body.attach || Number(request.seq) > after) continue;
			response.write(`${JSON.stringify({ ...request, repeated: true })}\n`);
		}
		await pipe(session, { after, ofRun }, response);
	}

	/** Runs the message as a turn; without one, finds the place to follow from. */
	function begin(session: FakeSession, body: Record<string, unknown>): FakePlace {
		if (typeof body.message !== "string") {
			return { after: body.attach ? Number(body.after ?? session.turnStart) : session.log.length };
		}
		const runId = randomUUID();
		const place = { after: session.log.length, ofRun: runId };
		const turn = { message: body.message, sessionId: session.id, runId, body };
		session.enqueue(options.script(turn), runId);
		return place;
	}

	async function pipe(session: FakeSession, place: FakePlace, response: ServerResponse) {
		const cut = () => response.destroy();
		open.add(response);
		session.cutters.add(cut);
		for await (const line of session.follow(place, () => response.destroyed)) {
			if (!response.write(line)) await drained(response);
		}
		session.cutters.delete(cut);
		open.delete(response);
		response.end();
	}

	function relay(body: Record<string, unknown>, response: ServerResponse): void {
		const session = tokens.get(String(body.token));
		const given = body.response as Record<string, unknown>;
		if (!session) refuse(response, 401, "UNAUTHORIZED");
		else if (!session.answer(String(given.requestId), given)) {
			refuse(response, 422, "INVALID_RESPONSE");
		} else {
			answers.push(given);
			answer(response, 200, { ok: true });
		}
	}

	return {
		url,
		calls,
		answers,
		sessions,
		get connections() {
			return open.size;
		},
		cut() {
			for (const response of open) response.destroy();
		},
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
	let text = "";
	for await (const chunk of request.setEncoding("utf8")) text += chunk;
	return text === "" ? {} : JSON.parse(text);
}

function answer(response: ServerResponse, status: number, body: object): void {
	response.writeHead(status, { "content-type": "application/json" });
	response.end(JSON.stringify(body));
}

function refuse(response: ServerResponse, status: number, errorCode: string): void {
	answer(response, status, { ok: false, errorCode, message: `The fake says ${errorCode}.` });
}

function drained(response: ServerResponse): Promise<void> {
	return new Promise((resolve) => {
		if (response.destroyed) return resolve();
		response.once("drain", resolve);
		response.once("close", resolve);
	});
}
