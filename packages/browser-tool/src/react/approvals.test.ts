import { expect, it, vi } from "vitest";
import { Approvals } from "./approvals";

const question = (signal: AbortSignal) => ({ label: "Send", values: [], signal });

it("asks until the person answers, or until nobody waits for it any more", async () => {
	const approvals = new Approvals(() => {});
	const gone = new AbortController();
	const [yes, left] = [
		approvals.ask("one", question(new AbortController().signal)),
		approvals.ask("two", question(gone.signal)),
	];
	approvals.open[0]?.accept();
	gone.abort();
	expect(await Promise.all([yes, left])).toEqual([true, false]);
	expect(approvals.open).toEqual([]);
});

it("asks nothing that is over already", async () => {
	const onChange = vi.fn();
	const approvals = new Approvals(onChange);
	expect(await approvals.ask("one", question(AbortSignal.abort()))).toBe(false);
	expect(approvals.open).toEqual([]);
	expect(onChange).not.toHaveBeenCalled();
});
