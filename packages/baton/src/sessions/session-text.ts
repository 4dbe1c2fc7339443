import type { SessionDetails, SessionRow } from "@baton/protocol";
import { plainText } from "../chat/plain-text";
import type { StoredMessage } from "./sessions-client";

/** One line of a list: what to name it by comes first. */
export function rowText(row: SessionRow, width: number): string {
	const words = row.label ?? row.last_words?.text ?? "";
	const text = `${row.id}  ${timeOf(row.updated_at)}  ${row.state.padEnd(7)}  ${row.door.padEnd(9)}  ${words}`;
	return plainText(text).slice(0, width);
}

/** Where a session stands, for people. */
export function detailsText(details: SessionDetails): string {
	const { id, session_id: name, label, state, agent, door, runner } = details;
	const rows = [
		["session", name === id ? id : `${id} (${name})`],
		...(label ? [["about", label]] : []),
		["state", runner ? `${state}, driven by ${runner.holder}` : state],
		["agent", `${agent}, begun through ${door}`],
		["made", `${timeOf(details.created_at)}, last changed ${timeOf(details.updated_at)}`],
		["events", details.last < details.first ? "none kept" : `${details.first} to ${details.last}`],
	];
	return rows.map(([key = "", value]) => plainText(`${key.padEnd(8)} ${value}`)).join("\n");
}

export function messageText({ role, content, error }: StoredMessage): string {
	const text = role === "user" ? `› ${content}` : content;
	return plainText(error ? `${text}\n  (${error})` : text);
}

function timeOf(ms: number): string {
	return new Date(ms).toISOString().slice(0, 16).replace("T", " ");
}
