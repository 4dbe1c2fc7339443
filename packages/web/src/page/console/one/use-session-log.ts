import { useEffect, useState, useSyncExternalStore } from "react";
import { type LogSnapshot, SessionLog } from "./session-log";

/** A session's log, from its end, then live. */
export function useSessionLog(sessionId: string): { log: SessionLog; snapshot: LogSnapshot } {
	const [log, setLog] = useState(() => new SessionLog(sessionId));
	useEffect(() => {
		// A log that was closed is not opened again.
		const fresh = new SessionLog(sessionId);
		setLog(fresh);
		void fresh.open();
		return () => fresh.close();
	}, [sessionId]);
	const snapshot = useSyncExternalStore(log.subscribe, log.getSnapshot, log.getSnapshot);
	return { log, snapshot };
}
