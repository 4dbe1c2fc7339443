import type { SessionsSnapshot } from "./sessions-feed";

interface ListNoteProps {
	sessions: SessionsSnapshot;
	isFiltering: boolean;
}

/** What is to be said about the list itself, where it ends. */
export function ListNote({ sessions, isFiltering }: ListNoteProps) {
	const { rows, hasMore, isLoading, looked, error } = sessions;
	if (error)
		return (
			<p className="list-note bad" role="alert">
				{isLoading ? `${error} Trying again…` : error}
			</p>
		);
	if (rows.length === 0 && !isLoading && !hasMore) {
		return isFiltering ? (
			<p className="list-note">{`None of ${looked.toLocaleString("en")} sessions fits.`}</p>
		) : (
			<div className="list-empty">
				<h2>No sessions yet</h2>
				<p>
					Every conversation is listed here, whichever door it comes through: the playground, the
					agent API, A2A or the gateway.
				</p>
				<a className="button primary" href="/">
					Begin one in the playground
				</a>
			</div>
		);
	}
	const count = rows.length.toLocaleString("en");
	if (isLoading || hasMore) {
		const searched = isFiltering ? ` Looked at ${looked.toLocaleString("en")} so far.` : "";
		return <p className="list-note">{`${count} sessions, loading more…${searched}`}</p>;
	}
	const all = isFiltering ? `of ${looked.toLocaleString("en")}` : "in all";
	return (
		<p className="list-note">{`${count} ${rows.length === 1 ? "session" : "sessions"} ${all}`}</p>
	);
}
