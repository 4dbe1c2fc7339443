import { EventReader } from "./event-reader";
import type { Settings } from "./settings";
import type { CloudApiRequest } from "./types";

export type Asked = Partial<CloudApiRequest>;

/** Asks the agent API. */
export async function connect(settings: Settings, asked: Asked): Promise<EventReader> {
	return (await connectToSend(settings, asked)).events;
}

interface Sent {
	events: EventReader;
	/** Whether the server had the message before; undefined: it knows no idempotency keys. */
	replayed: boolean | undefined;
}

/** The same, for a message that may have to be sent again. */
export async function connectToSend(settings: Settings, asked: Asked): Promise<Sent> {
	const { endpoint, headers, deps } = settings;
	const { reader, response } = await deps.connectCloudApi({
		endpoint,
		message: "",
		...(headers && { headers }),
		...asked,
	});
	const said = response?.headers?.get("idempotent-replayed") ?? undefined;
	return {
		events: new EventReader(reader),
		replayed: said === undefined ? undefined : said === "true",
	};
}
