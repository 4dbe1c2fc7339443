import { ConfigError } from "../config/config-error";
import { loadConfig } from "../config/load-config";
import type { Check } from "../doctor/check";
import { examine } from "../doctor/examine";
import { report } from "../doctor/report";
import { Scrubber } from "../log/scrubber";
import { EXIT } from "./exit-codes";
import type { Options } from "./options";
import { whileWaiting } from "./progress";

/** Says what is configured, reachable and missing. */
export async function doctorCommand({ env, switches }: Options, home: string): Promise<number> {
	const { checks, scrubber } = await whileWaiting("looking", look(env, home));
	const works = checks.every(({ status }) => status !== "fail");
	const text = switches.has("json")
		? `${JSON.stringify({ ok: works, checks }, null, 2)}\n`
		: report(checks, process.stdout.isTTY);
	// No check shows a secret; this is the net below a message of somebody else's.
	process.stdout.write(scrubber.scrub(text));
	return works ? EXIT.ok : EXIT.failed;
}

async function look(env: Options["env"], home: string) {
	try {
		const config = await loadConfig(env, home);
		return { checks: await examine(config), scrubber: new Scrubber(config.secrets) };
	} catch (error) {
		if (!(error instanceof ConfigError)) throw error;
		const checks = error.problems.map(
			({ name, reason, source }): Check => ({
				name,
				status: "fail",
				detail: source ? `${reason} (${source})` : reason,
			}),
		);
		return { checks, scrubber: new Scrubber() };
	}
}
