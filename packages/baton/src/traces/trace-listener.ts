import type { IncomingMessage, RequestListener } from "node:http";
import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";

const tracer = trace.getTracer("@baton/baton");

/** Which door a port is. */
export type TracedDoor = "web" | "a2a";

/**
 * What a span is named after. A caller's own words would make a name for each of them, so an address
 * below one of these has the name of the nearest. What has none here is not traced: pages, their
 * files, and what machines ask for every few seconds.
 */
const ROUTES: Record<TracedDoor, readonly [RegExp, (match: RegExpExecArray) => string][]> = {
	web: [
		[/^\/agent-api\/(run|abort|claim|relay|sessions)\b/, ([route]) => route],
		[/^\/agent-api\//, () => "/agent-api"],
		[/^\/api\/chat\b/, ([route]) => route],
	],
	a2a: [
		[/^\/\.well-known\//, () => ""],
		[/^\//, () => "a2a"],
	],
};

/** The same listener, with a span for each request, in the caller's trace if it names one. */
export function traceListener(door: TracedDoor, listener: RequestListener): RequestListener {
	return (incoming, outgoing) => {
		const route = routeOf(door, incoming);
		if (!route) return listener(incoming, outgoing);
		const caller = propagation.extract(context.active(), incoming.headers);
		const { method = "" } = incoming;
		const attributes = { "http.request.method": method, "http.route": route };
		const options = { kind: SpanKind.SERVER, attributes };
		const span = tracer.startSpan(`${method} ${route}`, options, caller);
		// A stream is under way for as long as somebody reads it.
		outgoing.once("close", () => {
			span.setAttribute("http.response.status_code", outgoing.statusCode);
			if (outgoing.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
			span.end();
		});
		return context.with(trace.setSpan(caller, span), () => listener(incoming, outgoing));
	};
}

function routeOf(door: TracedDoor, { url = "" }: IncomingMessage): string | undefined {
	for (const [pattern, nameOf] of ROUTES[door]) {
		const match = pattern.exec(url);
		if (match) return nameOf(match);
	}
	return undefined;
}
