import type { ApprovalRequest } from "../dom";

/** A question to the person, to be shown as a card: may this be sent? */
export interface Approval extends Omit<ApprovalRequest, "signal"> {
	id: string;
	toolCallId: string;
	accept(): void;
	refuse(): void;
}

/** The questions that wait for the person. */
export class Approvals {
	#open: readonly Approval[] = [];
	#count = 0;
	readonly #onChange: () => void;

	constructor(onChange: () => void) {
		this.#onChange = onChange;
	}

	/** The same array until something changes. */
	get open(): readonly Approval[] {
		return this.#open;
	}

	/** Opens a question; true when the person says yes, false on no or when it is taken back. */
	ask(toolCallId: string, { signal, ...request }: ApprovalRequest): Promise<boolean> {
		if (signal.aborted) return Promise.resolve(false);
		return new Promise((resolve) => {
			const id = `${toolCallId}:${++this.#count}`;
			const answer = (yes: boolean) => () => {
				signal.removeEventListener("abort", refuse);
				this.#set(this.#open.filter((one) => one.id !== id));
				resolve(yes);
			};
			const [accept, refuse] = [answer(true), answer(false)];
			this.#set([...this.#open, { ...request, id, toolCallId, accept, refuse }]);
			signal.addEventListener("abort", refuse, { once: true });
		});
	}

	#set(open: readonly Approval[]): void {
		this.#open = open;
		this.#onChange();
	}
}
