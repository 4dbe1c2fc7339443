import { context, propagation, type Span, SpanStatusCode, trace } from "@opentelemetry/api";
import type { OpenRun } from "./open-runs";

/*
 * A turn in traces. Without an SDK of OpenTelemetry in the process, all of this does nothing. The
 * trace context is stored with the input, so that whichever process runs the turn, or recovers it,
 * continues the trace of the request that brought it.
 */

const tracer = trace.getTracer("@baton/agent");

/** The trace context of this moment, as a field of an event. */
export function traceField(): { traceparent?: string } {
	const carrier: { traceparent?: string } = {};
	propagation.inject(context.active(), carrier);
	return carrier.traceparent === undefined ? {} : { traceparent: carrier.traceparent };
}

/** The storing of an input. What is under way around it learns of which session it is. */
export function traceAdmission<T>(sessionId: string, work: () => Promise<T>): Promise<T> {
	const attributes = { "baton.session.id": sessionId };
	trace.getActiveSpan()?.setAttributes(attributes);
	return tracer.startActiveSpan("turn.admit", { attributes }, (span) => inSpan(span, work));
}

/** One process at work on a turn, from where it finds it to its end or to where it leaves it. */
export function traceTurn<T>(
	sessionId: string,
	run: OpenRun,
	agent: string,
	work: () => Promise<T>,
): Promise<T> {
	const input = contextOf(run.traceparent);
	const before = trace.getSpanContext(contextOf(run.attemptTraceparent));
	const options = {
		attributes: {
			"baton.session.id": sessionId,
			"baton.run.id": run.runId,
			"baton.attempt": run.attempt + 1,
			"baton.agent": agent,
		},
		// The process that was lost never sent its span; what refers to it still meets here.
		links: before ? [{ context: before }] : [],
	};
	return tracer.startActiveSpan("turn.run", options, input, (span) => inSpan(span, work));
}

/** How the turn ended, on the span that it ends in. */
export function traceEnd(runId: string, status: string): void {
	const span = trace.getActiveSpan();
	span?.setAttributes({ "baton.run.id": runId, "baton.turn.status": status });
	if (status === "error") span?.setStatus({ code: SpanStatusCode.ERROR });
}

/** The run that an input became. */
export function traceRun(runId: string): void {
	trace.getActiveSpan()?.setAttribute("baton.run.id", runId);
}

function contextOf(traceparent: string | undefined) {
	// Not the active one: a runner may have been set going by the request of another turn.
	const none = trace.deleteSpan(context.active());
	return traceparent === undefined ? none : propagation.extract(none, { traceparent });
}

async function inSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		span.recordException(error as Error);
		span.setStatus({ code: SpanStatusCode.ERROR });
		throw error;
	} finally {
		span.end();
	}
}
