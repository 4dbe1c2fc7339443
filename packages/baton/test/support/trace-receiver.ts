import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedSpan {
	name: string;
	traceId: string;
	spanId: string;
	parentSpanId?: string;
	/** Which process made it. */
	instance: string;
	service: string;
	attributes: Record<string, unknown>;
	links: string[];
	failed: boolean;
}

export interface TraceReceiver {
	url: string;
	spans: ReceivedSpan[];
	/** The headers of the last delivery. */
	headers: NodeJS.Dict<string | string[]>;
	close(): Promise<void>;
}

/** A collector: takes OTLP over HTTP in JSON, as a real one does. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
	const spans: ReceivedSpan[] = [];
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const piece of request) body += piece;
		if (request.method !== "POST" || request.url !== "/v1/traces") {
			response.writeHead(404).end();
			return;
		}
		receiver.headers = request.headers;
		spans.push(...(JSON.parse(body).resourceSpans as ResourceSpans[]).flatMap(read));
		response.writeHead(200, { "content-type": "application/json" }).end("{}");
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	const receiver: TraceReceiver = {
		url: `http://127.0.0.1:${port}`,
		spans,
		headers: {},
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return receiver;
}

type Attributes = { key: string; value: Record<string, unknown> }[];

/** The wire shape, as far as it is looked at. */
interface ResourceSpans {
	resource: { attributes: Attributes };
	scopeSpans: {
		spans: (Pick<ReceivedSpan, "name" | "traceId" | "spanId" | "parentSpanId"> & {
			attributes: Attributes;
			links?: { spanId: string }[];
			status?: { code?: number };
		})[];
	}[];
}

function read({ resource, scopeSpans }: ResourceSpans): ReceivedSpan[] {
	const of = valuesOf(resource.attributes);
	return scopeSpans.flatMap(({ spans }) =>
		spans.map(({ attributes, links = [], status, ...span }) => ({
			...span,
			instance: String(of["service.instance.id"]),
			service: String(of["service.name"]),
			attributes: valuesOf(attributes),
			links: links.map(({ spanId }) => spanId),
			failed: status?.code === 2,
		})),
	);
}

function valuesOf(attributes: Attributes): Record<string, unknown> {
	return Object.fromEntries(
		attributes.map(({ key, value }) => [
			key,
			"intValue" in value ? Number(value.intValue) : Object.values(value)[0],
		]),
	);
}
