import { Icon } from "../shell/icons";

/** Says that the form was sent. Its place is there from the start, so that nothing moves. */
export function Receipt({ isSent, name }: { isSent: boolean; name: string }) {
	return (
		<p className="receipt" role="status" data-shown={isSent || undefined}>
			{isSent && (
				<>
					<Icon name="check" />
					Application sent. Thank you, {name}.
				</>
			)}
		</p>
	);
}
