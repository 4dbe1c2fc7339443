import type { Collection } from "@baton/session";
import { collectDefaultMetrics, Registry } from "prom-client";
import type { StoreObserver } from "../observe/observe-store";
import { VERSION } from "../version";
import { LeaseFigures } from "./lease-figures";
import { Makers } from "./makers";
import { ReaderFigures } from "./reader-figures";
import { RequestFigures } from "./request-figures";
import { SocketFigures } from "./socket-figures";
import { createStoreFigures } from "./store-figures";
import { TurnFigures } from "./turn-figures";

/** Everything that this process counts. */
export interface Metrics {
	readonly readers: ReaderFigures;
	/** Stands beside the store: what happens to turns is what is written there. */
	readonly observer: StoreObserver;
	/** In the text format of Prometheus. */
	text(): Promise<string>;
	readonly contentType: string;
	close(): void;
}

/** `sessions` is asked, at each scrape, how far its slowest readers are behind. */
export function createMetrics(driver: string, sessions: Pick<Collection, "state">): Metrics {
	const registry = new Registry();
	collectDefaultMetrics({ register: registry });
	const make = new Makers(registry);
	make
		.gauge("baton_info", "Always 1: what runs here.", ["version", "store"])
		.set({ version: VERSION, store: driver }, 1);
	const requests = new RequestFigures(make);
	const turns = new TurnFigures(make, requests);
	const leases = new LeaseFigures(make, (sessionId) => {
		turns.released(sessionId);
		requests.released(sessionId);
	});
	const readers = new ReaderFigures(make, sessions);
	const sockets = new SocketFigures(make);
	return {
		readers,
		observer: createStoreFigures(make, turns, leases, requests),
		text: () => registry.metrics(),
		contentType: registry.contentType,
		close() {
			sockets.close();
			registry.clear();
		},
	};
}
