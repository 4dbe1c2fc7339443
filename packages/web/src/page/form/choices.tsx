import type { ControlProps } from "./control-props";

type ChoiceKind = "radio" | "checkboxes" | "listbox";

/** One of several. */
export function Radios({ id, field, value, onChange }: ControlProps<ChoiceKind>) {
	return (
		<div className="choices">
			{field.options.map((option, index) => (
				<label className="choice" key={option} htmlFor={`${id}-${index}`}>
					<input
						id={`${id}-${index}`}
						type="radio"
						name={field.name}
						value={option}
						checked={value === option}
						onChange={() => onChange(option)}
					/>
					<span>{option}</span>
				</label>
			))}
		</div>
	);
}

/** Any of several. */
export function Checkboxes({ id, field, value, onChange }: ControlProps<ChoiceKind>) {
	const chosen = Array.isArray(value) ? value : [];
	return (
		<div className="choices">
			{field.options.map((option, index) => (
				<label className="choice" key={option} htmlFor={`${id}-${index}`}>
					<input
						id={`${id}-${index}`}
						type="checkbox"
						name={field.name}
						value={option}
						checked={chosen.includes(option)}
						onChange={(event) =>
							onChange(
								event.target.checked
									? [...chosen, option]
									: chosen.filter((other) => other !== option),
							)
						}
					/>
					<span>{option}</span>
				</label>
			))}
		</div>
	);
}
