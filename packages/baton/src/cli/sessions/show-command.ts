import { detailsText, messageText } from "../../sessions/session-text";
import { EXIT } from "../exit-codes";
import { whileWaiting } from "../progress";
import { countOf, explain, oneId, printJson, type SessionCommand } from "./session-command";

const SHOWN = 20;

/** Where a session stands, and the end of its conversation. */
export const showCommand: SessionCommand = (options) => {
	const id = oneId(options, "show");
	const limit = countOf(options.values.limit, "limit", SHOWN);
	return async ({ client }) => {
		const reading = Promise.all([client.get(id), limit === 0 ? [] : client.messages(id, limit)]);
		const [session, messages] = await whileWaiting("reading", reading).catch((error: unknown) => {
			throw explain(error, id);
		});
		if (options.switches.has("json")) {
			printJson({ session, messages });
			return EXIT.ok;
		}
		const said = messages.map((message) => `\n${messageText(message)}\n`).join("");
		process.stdout.write(`${detailsText(session)}\n${said}`);
		return EXIT.ok;
	};
};
