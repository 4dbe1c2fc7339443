import { Checkboxes, Radios } from "./choices";
import { Combobox } from "./combobox";
import type { ControlProps } from "./control-props";
import { Range } from "./range";

/** The part of a field that the person works with, by its kind. */
export function Control(props: ControlProps) {
	const { id, field, value, isInvalid, describedBy, onChange } = props;
	const text = typeof value === "string" ? value : "";
	const common = {
		id,
		name: field.name,
		required: field.required,
		"aria-invalid": isInvalid || undefined,
		"aria-describedby": describedBy,
	};
	switch (field.kind) {
		case "select":
			return (
				<select {...common} value={text} onChange={(event) => onChange(event.target.value)}>
					<option value="" aria-label="None chosen" />
					{field.options.map((group) => (
						<optgroup key={group.label} label={group.label}>
							{group.options.map((option) => (
								<option key={option}>{option}</option>
							))}
						</optgroup>
					))}
				</select>
			);
		case "listbox":
			return (
				<select
					{...common}
					multiple
					size={field.options.length}
					value={Array.isArray(value) ? value : []}
					onChange={(event) =>
						onChange(Array.from(event.target.selectedOptions, (option) => option.value))
					}
				>
					{field.options.map((option) => (
						<option key={option}>{option}</option>
					))}
				</select>
			);
		case "textarea":
			return (
				<textarea
					{...common}
					rows={4}
					maxLength={field.maxLength}
					placeholder={field.placeholder}
					value={text}
					onChange={(event) => onChange(event.target.value)}
				/>
			);
		case "radio":
			return <Radios {...props} field={field} />;
		case "checkboxes":
			return <Checkboxes {...props} field={field} />;
		case "combobox":
			return <Combobox {...props} field={field} />;
		case "range":
			return <Range {...props} field={field} />;
		case "switch":
		case "checkbox":
			return (
				<input
					{...common}
					type="checkbox"
					role={field.kind === "switch" ? "switch" : undefined}
					className={field.kind}
					checked={value === true}
					onChange={(event) => onChange(event.target.checked)}
				/>
			);
		case "number":
			return (
				<input
					{...common}
					type="number"
					min={field.min}
					max={field.max}
					step={field.step ?? 1}
					value={text}
					onChange={(event) => onChange(event.target.value)}
				/>
			);
		case "file":
			return <input {...common} type="file" accept={field.accept} />;
		default:
			return (
				<input
					{...common}
					type={field.kind}
					placeholder={field.placeholder}
					autoComplete={field.autoComplete}
					pattern={field.pattern}
					value={text}
					onChange={(event) => onChange(event.target.value)}
				/>
			);
	}
}
