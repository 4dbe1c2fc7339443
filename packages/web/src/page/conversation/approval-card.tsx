import type { Approval } from "@giselles-ai/browser-tool/react";
import { useEffect, useId, useRef } from "react";
import { Icon } from "../shell/icons";

/** Asks the person before a form is sent, with everything that would go. */
export function ApprovalCard({ approval }: { approval: Approval }) {
	const { label, destination, values, accept, refuse } = approval;
	const id = useId();
	const card = useRef<HTMLElement>(null);
	useEffect(() => {
		card.current?.focus();
		card.current?.scrollIntoView({ block: "nearest" });
	}, []);
	const filled = values.filter(({ value }) => value !== "" && value !== false);
	return (
		<section
			className="approval"
			role="alertdialog"
			aria-labelledby={`${id}-title`}
			aria-describedby={`${id}-text`}
			tabIndex={-1}
			ref={card}
		>
			<h2 id={`${id}-title`}>
				<Icon name="shield" />
				Press “{label}” for you?
			</h2>
			<p id={`${id}-text`}>
				The agent wants to send this form{destination ? ` to ${destination}` : ""}. This is what
				goes:
			</p>
			<dl>
				{filled.map(({ label: name, value }) => (
					<div key={name}>
						<dt>{name}</dt>
						<dd>{value === true ? "Yes" : value}</dd>
					</div>
				))}
			</dl>
			<div className="approval-actions">
				<button type="button" className="button primary" onClick={accept}>
					Approve
				</button>
				<button type="button" className="button" onClick={refuse}>
					Don’t send
				</button>
			</div>
		</section>
	);
}
