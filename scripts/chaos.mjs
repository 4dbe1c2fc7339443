// `npm run chaos`: the proof that nothing is lost. Arguments go to chaos/run.mjs.
import { prepareBuild } from "./lib/prepare.mjs";
import { runCommand } from "./lib/run-command.mjs";
import { inRoot } from "./lib/workspace.mjs";

const ready = await prepareBuild();
const args = [inRoot("chaos", "run.mjs"), ...process.argv.slice(2)];
const { ok } = ready ? await runCommand(process.execPath, args, { show: true }) : { ok: false };
process.exitCode = ok ? 0 : 1;
