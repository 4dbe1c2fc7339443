import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import { Icon } from "../shell/icons";

interface ComposerProps {
	isBusy: boolean;
	onSend(text: string): void;
	onStop(): void;
}

/** Where the person writes. Enter sends, Shift+Enter is a new line. */
export function Composer({ isBusy, onSend, onStop }: ComposerProps) {
	const [text, setText] = useState("");
	const box = useRef<HTMLTextAreaElement>(null);
	const submit = (event?: FormEvent) => {
		event?.preventDefault();
		const said = text.trim();
		if (said === "" || isBusy) return;
		onSend(said);
		setText("");
		box.current?.focus();
	};
	const onKeyDown = (event: KeyboardEvent) => {
		// While a word is being composed, Enter chooses it.
		if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
		event.preventDefault();
		submit();
	};
	return (
		<form className="composer" onSubmit={submit} autoComplete="off">
			<label className="visually-hidden" htmlFor="message">
				Message
			</label>
			<textarea
				id="message"
				ref={box}
				rows={1}
				value={text}
				placeholder="Write a message"
				onChange={(event) => setText(event.target.value)}
				onKeyDown={onKeyDown}
			/>
			{isBusy ? (
				<button type="button" className="round stop" aria-label="Stop" onClick={onStop}>
					<Icon name="stop" />
				</button>
			) : (
				<button type="submit" className="round" aria-label="Send" disabled={text.trim() === ""}>
					<Icon name="arrowUp" />
				</button>
			)}
		</form>
	);
}
