/** A line of the agent API. Nothing about it is taken for granted. */
export type CloudApiEvent = {
	type?: string;
	[key: string]: unknown;
};
