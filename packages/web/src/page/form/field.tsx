import { type SyntheticEvent, useEffect, useId, useRef, useState } from "react";
import { Control } from "./control";
import type { FieldValue } from "./draft";
import type { FieldDefinition } from "./sections";

interface FieldProps {
	field: FieldDefinition;
	value: FieldValue | undefined;
	/** The person tried to send: everything that is wrong is said. */
	isChecked: boolean;
	onChange(value: FieldValue): void;
}

/** Kinds that are several controls, with a name for all of them. */
const GROUPS = new Set(["radio", "checkboxes"]);
/** Kinds whose name stands beside them. */
const INLINE = new Set(["switch", "checkbox"]);

/** A field with its name, its hint, and what is wrong with it. */
export function Field({ field, value, isChecked, onChange }: FieldProps) {
	const { label, hint, required, half, kind, name } = field;
	const id = useId();
	const holder = useRef<HTMLDivElement>(null);
	const [isLeft, setLeft] = useState(false);
	const [problem, setProblem] = useState("");
	const isShown = isChecked || isLeft;
	// biome-ignore lint/correctness/useExhaustiveDependencies: the value decides what is wrong
	useEffect(() => {
		const control = holder.current?.querySelector("input, select, textarea");
		setProblem((control as HTMLInputElement | null)?.validationMessage ?? "");
	}, [value]);
	const touched = (event: SyntheticEvent) => {
		// What the person changes is theirs; the agent's own changes are no trusted events.
		if (event.nativeEvent.isTrusted) delete holder.current?.dataset.filled;
	};
	const error = isShown ? problem : "";
	// What is wrong stands where the hint stood, so that nothing moves.
	const remark = error || hint;
	const describedBy = remark ? `${id}-remark` : undefined;
	const control = (
		<Control
			id={id}
			field={field}
			value={value}
			isInvalid={error !== ""}
			describedBy={describedBy}
			onChange={onChange}
		/>
	);
	const star = required && (
		<span className="star" aria-hidden="true">
			{" *"}
		</span>
	);
	const isGroup = GROUPS.has(kind);
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: it hears what its control says
		<div
			className="field"
			ref={holder}
			data-field={name}
			data-kind={kind}
			data-half={half || undefined}
			onBlur={() => setLeft(true)}
			onInput={touched}
		>
			{isGroup ? (
				<fieldset aria-describedby={describedBy}>
					<legend>
						{label}
						{star}
					</legend>
					{control}
				</fieldset>
			) : INLINE.has(kind) ? (
				<div className="inline">
					{control}
					<label htmlFor={id}>{label}</label>
				</div>
			) : (
				<>
					<label htmlFor={id} id={`${id}-label`}>
						{label}
						{star}
					</label>
					{control}
				</>
			)}
			<p className="remark" id={`${id}-remark`} data-bad={error !== "" || undefined}>
				{remark}
			</p>
		</div>
	);
}
