import { memo } from "react";
import { Icon } from "../../shell/icons";
import type { LogEvent } from "../console-api";
import { LANES, wordsOf } from "./event-words";

interface EventLineProps {
	seq: number;
	event: LogEvent | undefined;
	top: number;
	isSelected: boolean;
	/** It had not happened yet at the moment that is shown. */
	isLater: boolean;
	isWithdrawn: boolean;
	onSelect(seq: number): void;
}

/** One event in its lane. */
export const EventLine = memo(function EventLine(props: EventLineProps) {
	const { seq, event, top, isSelected, isLater, isWithdrawn, onSelect } = props;
	const words = event && wordsOf(event);
	const lane = LANES.findIndex((one) => one.lane === words?.lane);
	const style = { transform: `translateY(${top}px)`, "--lane": Math.max(lane, 0) };
	return (
		// biome-ignore lint/a11y/useKeyWithClickEvents: the list has the keys.
		// biome-ignore lint/a11y/useFocusableInteractive: the list has the focus, and says which is active.
		<div
			role="option"
			id={`event-${seq}`}
			aria-selected={isSelected}
			className="event-line"
			data-seq={seq}
			data-lane={words?.lane}
			data-type={event?.type}
			data-mark={words?.mark?.kind}
			data-later={isLater || undefined}
			data-withdrawn={isWithdrawn || undefined}
			style={style as React.CSSProperties}
			onClick={() => onSelect(seq)}
		>
			<span className="event-seq">{seq}</span>
			{words ? (
				<span className="event-body">
					{words.mark && <Icon name={words.mark.icon} />}
					<span className="visually-hidden">{LANES[lane]?.words}: </span>
					<span className="event-title">{words.title}</span>
					<span className="event-text">{words.text}</span>
					{isWithdrawn && <span className="event-note">taken back</span>}
				</span>
			) : (
				<span className="event-body event-loading">…</span>
			)}
		</div>
	);
});
