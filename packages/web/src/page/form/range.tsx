import type { ControlProps } from "./control-props";

/** A slider that says what it stands at. */
export function Range({
	id,
	field,
	value,
	describedBy,
	onChange,
}: ControlProps<"number" | "range">) {
	const text = typeof value === "string" ? value : String(field.min);
	return (
		<div className="range">
			<input
				id={id}
				name={field.name}
				type="range"
				min={field.min}
				max={field.max}
				step={field.step}
				aria-describedby={describedBy}
				aria-valuetext={`${text} ${field.unit ?? ""}`}
				value={text}
				onChange={(event) => onChange(event.target.value)}
			/>
			<output htmlFor={id}>
				{text} {field.unit}
			</output>
		</div>
	);
}
