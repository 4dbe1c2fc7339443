import { saveLiveConnection } from "./live-connections";
import type { SessionWriter } from "./session-writer";
import type { Settings } from "./settings";
import type { TurnConnection } from "./turn-connection";

/** Keeps a paused connection for a hot resume. It belongs to the live connections from here. */
export function keepLive(
	{ connection, writer, settings }: KeepLiveOptions,
	requestIds: string[],
): void {
	const { events, relayRequests } = connection;
	const { providerSessionId, chatId } = writer.metadata;
	connection.detach();
	saveLiveConnection(providerSessionId, {
		reader: events.reader,
		buffer: events.buffer,
		relaySubscription: relayRequests,
		textBlockOpen: false,
		events,
		requestIds,
		...(chatId !== undefined && { chatId }),
		...(writer.stored && { stored: writer.stored }),
		...(settings.liveIdleMs !== undefined && { idleMs: settings.liveIdleMs }),
	});
}

interface KeepLiveOptions {
	connection: TurnConnection;
	writer: SessionWriter;
	settings: Settings;
}
