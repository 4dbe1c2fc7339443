import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Fetch } from "../http/request-listener";

const tracer = trace.getTracer("@baton/baton");

/** Addresses that a span may be named after; any other would make a name of its own for each caller. */
const NAMED = /^\/agent-api\/(run|abort|relay)\b/;

/** Machines ask for these every few seconds, and no turn goes through them. */
const UNTRACED = new Set(["/health", "/ready", "/metrics"]);

/**
 * A span for each request, in the caller's trace if it names one. It ends when the answer begins: what
 * the answer then takes is in the spans of the turn.
 */
export function traceRequests(fetch: Fetch): Fetch {
	return (request) => {
		const { pathname } = new URL(request.url);
		if (UNTRACED.has(pathname)) return fetch(request);
		const caller = propagation.extract(context.active(), request.headers, {
			get: (headers, name) => headers.get(name) ?? undefined,
			keys: (headers) => [...headers.keys()],
		});
		const route = NAMED.exec(pathname)?.[0];
		const span = tracer.startSpan(
			route ? `${request.method} ${route}` : request.method,
			{
				kind: SpanKind.SERVER,
				attributes: {
					"http.request.method": request.method,
					...(route && { "http.route": route }),
				},
			},
			caller,
		);
		return context.with(trace.setSpan(caller, span), async () => {
			try {
				const response = await fetch(request);
				span.setAttribute("http.response.status_code", response.status);
				if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
				return response;
			} catch (error) {
				span.recordException(error as Error);
				span.setStatus({ code: SpanStatusCode.ERROR });
				throw error;
			} finally {
				span.end();
			}
		});
	};
}
