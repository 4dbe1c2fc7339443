import { useEffect, useState, useSyncExternalStore } from "react";
import { EVERYTHING, type SessionFilter } from "./session-filter";
import { SessionsFeed, type SessionsSnapshot } from "./sessions-feed";

/** Changes of the filter are gathered while the person types. */
const TYPING_MS = 250;
/** The view is watched when it has come to rest. */
const SETTLED_MS = 250;
/** Rows that are loaded before they are in view. */
const AHEAD = 100;
const MOST_WATCHED = 60;

/** Until the first one is made: in the page, not at the server. */
const NO_FEED = new SessionsFeed(EVERYTHING);

/** The sessions that fit, as they are now. `view` says which are in view. */
export function useSessions(
	filter: SessionFilter,
	view: { first: number; end: number },
): SessionsSnapshot {
	const wanted = useSettled(filter, TYPING_MS);
	const [feed, setFeed] = useState(NO_FEED);
	useEffect(() => {
		const fresh = new SessionsFeed(wanted);
		setFeed(fresh);
		return () => fresh.close();
	}, [wanted]);
	const snapshot = useSyncExternalStore(feed.subscribe, feed.getSnapshot, feed.getSnapshot);
	const wantedRows = view.end + AHEAD;
	useEffect(() => {
		if (feed !== NO_FEED) feed.load(wantedRows);
	}, [feed, wantedRows]);

	const isVisible = useIsVisible();
	const isReady = !snapshot.isLoading || snapshot.rows.length > 0;
	const ids = snapshot.rows
		.slice(view.first, Math.min(view.end, view.first + MOST_WATCHED))
		.map(({ id }) => id)
		.join(" ");
	useEffect(() => {
		if (!isReady || !isVisible) return;
		const timer = setTimeout(() => feed.watch(ids === "" ? [] : ids.split(" ")), SETTLED_MS);
		return () => clearTimeout(timer);
	}, [feed, ids, isReady, isVisible]);
	useEffect(() => {
		if (!isVisible) feed.rest();
	}, [feed, isVisible]);
	return snapshot;
}

/** The value, once it has not changed for a while. */
function useSettled<T>(value: T, ms: number): T {
	const [settled, setSettled] = useState(value);
	useEffect(() => {
		const timer = setTimeout(setSettled, ms, value);
		return () => clearTimeout(timer);
	}, [value, ms]);
	return settled;
}

/** A page that nobody sees need not be live. */
function useIsVisible(): boolean {
	return useSyncExternalStore(
		(changed) => {
			document.addEventListener("visibilitychange", changed);
			return () => document.removeEventListener("visibilitychange", changed);
		},
		() => document.visibilityState === "visible",
		() => true,
	);
}
