"use client";

import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { ConsoleHeader } from "../console-header";
import { LiveSign } from "../live-sign";
import { useWindow } from "../use-window";
import { FilterBar } from "./filter-bar";
import { ListNote } from "./list-note";
import { isFiltering, queryOf, type SessionFilter } from "./session-filter";
import { SessionLine } from "./session-line";
import { useKnownValues } from "./use-known-values";
import { useNow } from "./use-now";
import { useSessions } from "./use-sessions";

const ROW_HEIGHT = 66;

/** All sessions of the owner, whichever door they came through. */
export function SessionList({ initial }: { initial: SessionFilter }) {
	const [filter, setFilter] = useState(initial);
	const [count, setCount] = useState(0);
	const list = useWindow({ count, rowHeight: ROW_HEIGHT });
	const sessions = useSessions(filter, list);
	const { rows } = sessions;
	if (rows.length !== count) setCount(rows.length);
	const doors = useKnownValues(
		rows.map(({ door }) => door),
		filter.door,
	);
	const agents = useKnownValues(
		rows.map(({ agent }) => agent),
		filter.agent,
	);
	const now = useNow();
	const move = useArrowKeys(list.show, rows.length);
	useSlashToSearch();

	const choose = (chosen: SessionFilter) => {
		setFilter(chosen);
		const query = queryOf(chosen).toString();
		window.history.replaceState(null, "", query === "" ? "/sessions" : `/sessions?${query}`);
		list.scroller.current?.scrollTo(0, 0);
	};
	return (
		<div className="shell">
			<a className="skip" href="#sessions">
				Skip to the sessions
			</a>
			<ConsoleHeader />
			<main className="console">
				<div className="console-bar">
					<FilterBar filter={filter} doors={doors} agents={agents} onChange={choose} />
					<LiveSign link={sessions.link} />
				</div>
				<div className="session-head" aria-hidden="true">
					<span>State</span>
					<span>Session</span>
					<span>Door</span>
					<span>Agent</span>
					<span className="session-count">Events</span>
					<span className="session-age">Last turn</span>
				</div>
				<div
					className="session-rows"
					id="sessions"
					ref={list.scroller}
					onScroll={list.onScroll}
					tabIndex={-1}
				>
					<ul aria-label="Sessions" style={{ height: list.height }} onKeyDown={move}>
						{rows.slice(list.first, list.end).map((session, offset) => (
							<SessionLine
								key={session.id}
								session={session}
								index={list.first + offset}
								top={list.topOf(list.first + offset)}
								now={now}
							/>
						))}
					</ul>
					<ListNote sessions={sessions} isFiltering={isFiltering(filter)} />
				</div>
			</main>
		</div>
	);
}

/** Up and down go from session to session, also to those that are not drawn yet. */
function useArrowKeys(show: (index: number) => void, count: number) {
	const wanted = useRef<number | null>(null);
	useEffect(() => {
		if (wanted.current === null) return;
		const row = document.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
		if (!row) return;
		wanted.current = null;
		row.focus({ preventScroll: true });
	});
	return (event: KeyboardEvent<HTMLElement>) => {
		const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
		const { index } = (event.target as HTMLElement).dataset;
		if (step === undefined || index === undefined) return;
		event.preventDefault();
		const next = Math.min(Math.max(Number(index) + step, 0), count - 1);
		show(next);
		const row = document.querySelector<HTMLElement>(`[data-index="${next}"]`);
		if (row) row.focus({ preventScroll: true });
		else wanted.current = next;
	};
}

/** A slash anywhere but in a field goes to the search. */
function useSlashToSearch(): void {
	useEffect(() => {
		const go = (event: globalThis.KeyboardEvent) => {
			const isField = (event.target as HTMLElement).matches("input, select, textarea");
			if (event.key !== "/" || isField || event.ctrlKey || event.metaKey) return;
			event.preventDefault();
			document.getElementById("search")?.focus();
		};
		document.addEventListener("keydown", go);
		return () => document.removeEventListener("keydown", go);
	}, []);
}
