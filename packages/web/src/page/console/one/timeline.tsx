import { type KeyboardEvent, useEffect } from "react";
import { Icon } from "../../shell/icons";
import { useWindow } from "../use-window";
import { EventLine } from "./event-line";
import { EventPages } from "./event-pages";
import { LANES } from "./event-words";
import type { LogSnapshot, SessionLog } from "./session-log";
import { usePlace } from "./use-place";
import type { Withdrawals } from "./withdrawals";

const ROW_HEIGHT = 32;
/** Events are asked for when the view has come to rest. */
const SETTLED_MS = 80;

interface TimelineProps {
	log: SessionLog;
	snapshot: LogSnapshot;
	/** The event that the person looks at; null: the last one, whichever that is. */
	at: number | null;
	withdrawals: Withdrawals;
	/** Events that something else wants to have at hand. */
	alsoWanted: readonly [from: number, to: number];
	onSelect(seq: number | null): void;
}

/** Every event of the log by its number, in four lanes. */
export function Timeline(props: TimelineProps) {
	const { log, snapshot, at, withdrawals, alsoWanted, onSelect } = props;
	const { first, last } = snapshot;
	const count = Math.max(0, last - first + 1);
	const list = useWindow({ count, rowHeight: ROW_HEIGHT, overscan: 10 });
	const place = usePlace(list, at === null ? null : at - first, count);
	const [from, to] = [first + list.first, first + list.end];
	const pages = [from, to, ...alsoWanted].map(EventPages.of).join(" ");
	// Whole pages, so that a log that grows does not put it off.
	useEffect(() => {
		const [first = 0, last = 0, alsoFirst = 0, alsoLast = 0] = pages.split(" ").map(Number);
		const want = () => log.want([first, last], [alsoFirst, alsoLast]);
		const timer = setTimeout(want, SETTLED_MS);
		return () => clearTimeout(timer);
	}, [log, pages]);

	const move = (event: KeyboardEvent) => {
		const now = at ?? last;
		const to = targetOf(event.key, now, first, last);
		if (to === null) return;
		event.preventDefault();
		onSelect(to === last && event.key === "End" ? null : to);
	};
	const selected = at ?? last;
	return (
		<div className="timeline">
			<div className="lane-head" aria-hidden="true">
				{LANES.map(({ lane, words, icon }, index) => (
					<span key={lane} data-lane={lane} style={{ "--lane": index } as React.CSSProperties}>
						<Icon name={icon} />
						<span className="lane-name">{words}</span>
					</span>
				))}
			</div>
			<div
				className="event-rows"
				role="listbox"
				aria-label="Events"
				tabIndex={0}
				aria-activedescendant={selected >= from && selected < to ? `event-${selected}` : undefined}
				ref={list.scroller}
				onScroll={place.onScroll}
				onKeyDown={move}
			>
				<div role="presentation" className="event-space" style={{ height: list.height }}>
					{Array.from({ length: Math.max(0, list.end - list.first) }, (_, offset) => {
						const seq = from + offset;
						const event = log.events.get(seq);
						return (
							<EventLine
								key={seq}
								seq={seq}
								event={event}
								top={list.topOf(seq - first)}
								isSelected={seq === selected}
								isLater={at !== null && seq > at}
								isWithdrawn={event !== undefined && withdrawals.has(event)}
								onSelect={onSelect}
							/>
						);
					})}
				</div>
			</div>
		</div>
	);
}

const PAGE = 15;

function targetOf(key: string, now: number, first: number, last: number): number | null {
	const targets: Readonly<Record<string, number>> = {
		ArrowUp: now - 1,
		ArrowDown: now + 1,
		PageUp: now - PAGE,
		PageDown: now + PAGE,
		Home: first,
		End: last,
	};
	const target = targets[key];
	return target === undefined ? null : Math.min(Math.max(target, first), last);
}
