import type { RequestListener } from "node:http";
import { Turns, type TurnsOptions } from "@baton/agent";
import type { Store } from "@baton/session";
import type { Config } from "../config/config";
import type { Fetch } from "../http/request-listener";
import type { Log } from "../log/log";
import type { TracedDoor } from "../traces/trace-listener";
import { observeStore } from "./observe-store";

/** What this process tells of itself. Where nothing is asked for, everything is as it was. */
export interface Observation {
	/** The store that all parts work with. */
	readonly store: Store;
	createTurns(options: TurnsOptions): Turns;
	/** Serves the figures, if anybody may have them. */
	readonly metrics: Fetch | undefined;
	/** The same listener, with a span for each request. */
	traced(door: TracedDoor, listener: RequestListener): RequestListener;
	close(): Promise<void>;
}

/** Counts and traces, as far as the configuration asks for it; what it does not is not loaded. */
export async function observe(config: Config, opened: Store, log: Log): Promise<Observation> {
	const traces = config.traces && (await openTraces(config.traces, opened, log));
	const traced = traces?.store ?? opened;
	const figures = config.metrics && (await openFigures(config.metrics, traced));
	return {
		store: figures?.store ?? traced,
		createTurns: figures?.createTurns ?? ((options) => new Turns(options)),
		metrics: figures?.route,
		traced: traces?.traced ?? ((_, listener) => listener),
		async close() {
			figures?.close();
			await traces?.close();
		},
	};
}

async function openTraces(config: NonNullable<Config["traces"]>, store: Store, log: Log) {
	const [{ startTraces }, { createStoreTracer }, { traceListener }] = await Promise.all([
		import("../traces/start-traces"),
		import("../traces/trace-store"),
		import("../traces/trace-listener"),
	]);
	const close = await startTraces(config, log);
	const tracer = createStoreTracer(store.driver);
	return { store: observeStore(store, tracer), traced: traceListener, close };
}

async function openFigures(access: NonNullable<Config["metrics"]>, store: Store) {
	const [{ createMetrics }, { createMetricsRoute }, { ObservedTurns }] = await Promise.all([
		import("../metrics/metrics"),
		import("../metrics/metrics-route"),
		import("../metrics/observed-turns"),
	]);
	const metrics = createMetrics(store.driver, store.collection("sessions"));
	return {
		store: observeStore(store, metrics.observer),
		createTurns: (options: TurnsOptions) => new ObservedTurns(options, metrics.readers),
		route: createMetricsRoute(metrics, access),
		close: () => metrics.close(),
	};
}
