import { Icon } from "../shell/icons";

/** Why a turn failed, and a way to go on. */
export function Failure({ text, onRetry }: { text: string; onRetry(): void }) {
	return (
		<div className="failure" role="alert">
			<p>{text}</p>
			<button type="button" className="button" onClick={onRetry}>
				<Icon name="retry" />
				Retry
			</button>
		</div>
	);
}
