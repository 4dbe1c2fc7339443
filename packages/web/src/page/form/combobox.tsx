import { type KeyboardEvent, useState } from "react";
import type { ControlProps } from "./control-props";

/** A text with suggestions, after the ARIA pattern: arrows move, Enter takes, Escape closes. */
export function Combobox(props: ControlProps<"combobox">) {
	const { id, field, value, isInvalid, describedBy, onChange } = props;
	const text = typeof value === "string" ? value : "";
	const [isOpen, setOpen] = useState(false);
	const [active, setActive] = useState(-1);
	const options = field.options.filter((option) =>
		option.toLowerCase().includes(text.trim().toLowerCase()),
	);
	const isShown = isOpen && options.length > 0;
	const take = (option: string) => {
		onChange(option);
		setOpen(false);
		setActive(-1);
	};
	const move = (by: number) => {
		setOpen(true);
		setActive((before) => (before + by + options.length) % Math.max(1, options.length));
	};
	const onKeyDown = (event: KeyboardEvent) => {
		const option = options[active];
		if (event.key === "ArrowDown") move(1);
		else if (event.key === "ArrowUp") move(active < 0 ? 0 : -1);
		else if (event.key === "Enter" && isShown && option) take(option);
		else if (event.key === "Escape" && isShown) setOpen(false);
		else return;
		event.preventDefault();
	};
	return (
		<div className="combobox">
			<input
				id={id}
				name={field.name}
				type="text"
				role="combobox"
				autoComplete="off"
				aria-autocomplete="list"
				aria-expanded={isShown}
				aria-controls={`${id}-options`}
				aria-activedescendant={isShown && active >= 0 ? `${id}-option-${active}` : undefined}
				aria-invalid={isInvalid || undefined}
				aria-describedby={describedBy}
				placeholder={field.placeholder}
				value={text}
				onChange={(event) => {
					onChange(event.target.value);
					setOpen(true);
					setActive(-1);
				}}
				onKeyDown={onKeyDown}
				onClick={() => setOpen(true)}
				onBlur={() => setOpen(false)}
			/>
			<div
				className="options"
				role="listbox"
				id={`${id}-options`}
				aria-labelledby={`${id}-label`}
				hidden={!isShown}
			>
				{options.map((option, index) => (
					// biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard works on the text
					<div
						key={option}
						id={`${id}-option-${index}`}
						role="option"
						tabIndex={-1}
						aria-selected={index === active}
						// Before the text loses the focus, which would close the list.
						onMouseDown={(event) => event.preventDefault()}
						onClick={() => take(option)}
					>
						{option}
					</div>
				))}
			</div>
		</div>
	);
}
