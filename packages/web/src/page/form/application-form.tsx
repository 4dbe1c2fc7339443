import { type FormEvent, useRef, useState } from "react";
import { useDraft } from "./draft";
import { Field } from "./field";
import { Receipt } from "./receipt";
import { SECTIONS } from "./sections";

/** A form as they are: sections, checks, every kind of field. What is sent stays in the page. */
export function ApplicationForm({ chatId }: { chatId: string }) {
	const { values, set, clear, isRestored } = useDraft(chatId);
	const [isSent, setSent] = useState(false);
	const [isChecked, setChecked] = useState(false);
	const form = useRef<HTMLFormElement>(null);
	const submit = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		setChecked(true);
		const wrong = event.currentTarget.querySelector<HTMLElement>(":invalid:not(fieldset)");
		wrong?.focus();
		setSent(!wrong);
	};
	const startAgain = () => {
		clear();
		setSent(false);
		setChecked(false);
		for (const field of form.current?.querySelectorAll<HTMLElement>("[data-filled]") ?? []) {
			delete field.dataset.filled;
		}
	};
	return (
		<form
			className="sheet"
			ref={form}
			noValidate
			onSubmit={submit}
			aria-labelledby="form-title"
			data-ready={isRestored || undefined}
			data-sent={isSent || undefined}
		>
			<header className="sheet-header">
				<p className="eyebrow">Difference Engine Works</p>
				<h2 id="form-title">Application</h2>
				<p>Fields with a star are needed. This is a playground: nothing leaves your browser.</p>
			</header>
			{SECTIONS.map(({ title, text, fields }) => (
				<fieldset className="section" key={title}>
					<legend>{title}</legend>
					<p className="section-text">{text}</p>
					<div className="fields">
						{fields.map((field) => (
							<Field
								key={field.name}
								field={field}
								value={values[field.name]}
								isChecked={isChecked}
								onChange={(value) => {
									set(field.name, value);
									setSent(false);
								}}
							/>
						))}
					</div>
				</fieldset>
			))}
			<footer className="sheet-footer">
				<button type="submit" className="button primary">
					Submit application
				</button>
				<button type="button" className="button" onClick={startAgain}>
					Start again
				</button>
				<Receipt isSent={isSent} name={String(values.name ?? "")} />
			</footer>
		</form>
	);
}
