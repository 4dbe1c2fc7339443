import type { z } from "zod";

/** One setting, as it is read and as it is explained. */
export interface Setting {
	/** From text, since that is what an environment holds. Its messages complete "<value> …". */
	read: z.ZodType<unknown, string>;
	/** In effect when nothing is set, as text that `read` takes. Absent: the setting has no value. */
	fallback?: string;
	/** What the documentation shows instead of the fallback, where that would say too little. */
	shown?: string;
	/** Never shown, and removed from every log line. */
	secret?: true;
	/**
	 * A second name, which other programs use too: its value is taken where the first name is not set
	 * and the value fits. One that does not fit is another program's.
	 */
	also?: string;
	/** A sentence for the table of settings. */
	about: string;
}

type Read<S extends Setting> = z.output<S["read"]>;

/** What a table of settings holds once it is read. */
export type Values<T extends Record<string, Setting>> = {
	[K in keyof T]: T[K] extends { fallback: string } ? Read<T[K]> : Read<T[K]> | undefined;
};
