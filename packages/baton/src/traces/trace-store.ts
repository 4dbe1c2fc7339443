import { isBatonError, type Lease } from "@baton/session";
import { context, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { StoreCall, StoreObserver } from "../observe/observe-store";

const tracer = trace.getTracer("@baton/baton");

/** Appends of text that a span stands for. */
interface TextWritten {
	appends: number;
	events: number;
	ms: number;
}

/**
 * A span for each call to the store that is made on behalf of a turn or a request. The text of a turn
 * goes in thousands of appends; those are summed up on the span of the turn.
 */
export function createStoreTracer(driver: string): StoreObserver {
	const written = new WeakMap<Span, TextWritten>();

	async function aroundText<T>(turn: Span, events: number, work: () => Promise<T>): Promise<T> {
		const begin = performance.now();
		const result = await work();
		const text = written.get(turn) ?? { appends: 0, events: 0, ms: 0 };
		written.set(turn, text);
		text.appends += 1;
		text.events += events;
		text.ms += performance.now() - begin;
		turn.setAttributes({
			"baton.text.appends": text.appends,
			"baton.text.events": text.events,
			"baton.text.ms": Math.round(text.ms),
		});
		return result;
	}

	return {
		async around<T>(call: StoreCall, work: () => Promise<T>): Promise<T> {
			const parent = trace.getActiveSpan();
			if (!parent?.isRecording()) return work();
			const text = textOf(call);
			if (text > 0) return aroundText(parent, text, work);
			const { method, collection } = call;
			const span = tracer.startSpan(`store.${method}`, {
				kind: SpanKind.CLIENT,
				attributes: {
					"db.system.name": driver,
					"db.operation.name": method,
					"db.collection.name": collection,
					...sessionOf(call),
				},
			});
			try {
				return await context.with(trace.setSpan(context.active(), span), work);
			} catch (error) {
				if (isBatonError(error)) span.setAttribute("error.type", error.code);
				span.recordException(error as Error);
				span.setStatus({ code: SpanStatusCode.ERROR });
				throw error;
			} finally {
				span.end();
			}
		},
	};
}

/** How many events are appended, if all of them are text. */
function textOf({ method, args }: StoreCall): number {
	if (method !== "append") return 0;
	const events = args[2] as readonly ({ type?: string } | null)[];
	return events.every((event) => event?.type === "message") ? events.length : 0;
}

function sessionOf({ collection, method, args }: StoreCall): Record<string, string> {
	if (collection !== "sessions" || method === "find" || method === "list") return {};
	const [first] = args;
	const id = typeof first === "string" ? first : (first as Lease | undefined)?.id;
	return id === undefined ? {} : { "baton.session.id": id };
}
