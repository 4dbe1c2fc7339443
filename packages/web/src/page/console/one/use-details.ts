import type { SessionDetails } from "@baton/protocol";
import { useCallback, useEffect, useState } from "react";
import { getJson } from "../console-api";

const WHILE_OPEN_MS = 1_500;
const OTHERWISE_MS = 10_000;

/** Where a session stands; read again while a turn is open, and whenever one begins or ends. */
export function useDetails(sessionId: string, turnSeq: number): SessionDetails | null {
	const [details, setDetails] = useState<SessionDetails | null>(null);
	const read = useCallback(
		(signal: AbortSignal) =>
			getJson<SessionDetails>(`/${sessionId}`, signal).then(setDetails, () => {
				// The log says when the server is away.
			}),
		[sessionId],
	);
	const isOpen = details?.state === "running" || details?.state === "waiting";
	// biome-ignore lint/correctness/useExhaustiveDependencies: something new about a turn is a reason to read again.
	useEffect(() => {
		const gone = new AbortController();
		void read(gone.signal);
		const everyMs = isOpen ? WHILE_OPEN_MS : OTHERWISE_MS;
		const timer = setInterval(() => {
			if (document.visibilityState === "visible") void read(gone.signal);
		}, everyMs);
		return () => {
			gone.abort();
			clearInterval(timer);
		};
	}, [read, isOpen, turnSeq]);
	return details;
}
