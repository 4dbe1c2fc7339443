import { useCopy } from "../../conversation/use-copy";
import { Icon } from "../../shell/icons";
import type { LogEvent } from "../console-api";
import type { Moment } from "./moment";
import { MomentBadge } from "./moment-badge";

interface InspectorProps {
	seq: number;
	event: LogEvent | undefined;
	moment: Moment;
	text: string;
	isLive: boolean;
}

/** The moment that the person looks at: how the session stood, and the event itself, whole. */
export function Inspector({ seq, event, moment, text, isLive }: InspectorProps) {
	return (
		<section className="inspector" aria-label="The moment">
			<header className="inspector-head">
				<h2>{isLive ? "Now" : `At event ${seq.toLocaleString("en")}`}</h2>
				<MomentBadge moment={moment} />
			</header>
			<dl className="facts">
				{moment.said !== "" && <Fact name="Asked">{moment.said}</Fact>}
				{moment.turnSeq > 0 && (
					<Fact name="Turn">
						since event {moment.turnSeq.toLocaleString("en")}
						{moment.attempt > 1 && `, attempt ${moment.attempt}`}
						{moment.queued > 0 && `, ${moment.queued} more in the queue`}
						{moment.stopAsked && ", stop asked for"}
					</Fact>
				)}
			</dl>
			<h3>Text so far</h3>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls. */}
			<section className="text-so-far" tabIndex={0} aria-label="Text so far">
				<p>{text === "" ? <span className="quiet">Nothing yet.</span> : text}</p>
			</section>
			<Payload seq={seq} event={event} />
		</section>
	);
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
	return (
		<div>
			<dt>{name}</dt>
			<dd>{children}</dd>
		</div>
	);
}

function Payload({ seq, event }: { seq: number; event: LogEvent | undefined }) {
	const json = event ? JSON.stringify(event, null, 2) : "";
	const [isCopied, copy] = useCopy(json);
	return (
		<>
			<div className="payload-head">
				<h3>
					Event {seq.toLocaleString("en")} <code>{event?.type}</code>
				</h3>
				<button type="button" className="small" onClick={copy} disabled={!event}>
					<Icon name={isCopied ? "check" : "copy"} />
					{isCopied ? "Copied" : "Copy"}
				</button>
			</div>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls. */}
			<section className="payload" tabIndex={0} aria-label="Payload">
				<pre>{json || "…"}</pre>
			</section>
		</>
	);
}
