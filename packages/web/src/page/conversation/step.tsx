import { Icon, type IconName } from "../shell/icons";
import { type StepPart, wordsOf } from "./step-words";

const KINDS: Readonly<Record<string, IconName>> = {
	"tool-getFormSnapshot": "eye",
	"tool-executeFormActions": "pen",
};

interface StepProps {
	part: StepPart;
	/** The turn goes on: a step without its outcome is still being done. */
	isRunning: boolean;
}

/** Something the agent did, between its words. */
export function Step({ part, isRunning }: StepProps) {
	const { title, details, state } = wordsOf(part);
	const shown = state === "running" && !isRunning ? "failed" : state;
	const kind = KINDS[part.type] ?? "wrench";
	const line = (
		<>
			<Icon name={kind} />
			<span className="step-title">{title}</span>
			<span className="step-state" data-state={shown}>
				{shown === "done" && <Icon name="check" />}
				{shown === "failed" && <Icon name="cross" />}
				<span className="visually-hidden">{shown}</span>
			</span>
		</>
	);
	if (details.length === 0) return <div className="step">{line}</div>;
	return (
		<details className="step" open={state === "failed"}>
			<summary>
				{line}
				<span className="step-open">
					<Icon name="chevron" />
				</span>
			</summary>
			<ul>
				{details.map(({ text, isBad }) => (
					<li key={text} data-bad={isBad || undefined}>
						{text}
					</li>
				))}
			</ul>
		</details>
	);
}
