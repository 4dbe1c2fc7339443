/** What one look at the installation found. */
export interface Check {
	name: string;
	/**
	 * `ok` works. `idle` is not configured, and need not be. `warn` works otherwise than one may
	 * expect. `fail` is configured and does not work.
	 */
	status: "ok" | "idle" | "warn" | "fail";
	/** For people. Never holds a secret. */
	detail: string;
}
