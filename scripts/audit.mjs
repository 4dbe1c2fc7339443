// `npm run audit`: known vulnerabilities of what Baton needs to run. Exit code 2: nobody could say.
import { auditDependencies } from "./lib/audit.mjs";
import { prepareInstall } from "./lib/prepare.mjs";
import { step } from "./lib/report.mjs";

const EXIT = { passed: 0, failed: 1, skipped: 2 };

const ready = await prepareInstall();
process.exitCode = ready
	? EXIT[(await step("dependency audit", () => auditDependencies())).status]
	: 1;
