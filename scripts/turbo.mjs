// `pnpm build`, `pnpm typecheck`: turbo as the other scripts run it.
import { runTurbo } from "./lib/turbo.mjs";

const { ok } = await runTurbo(process.argv.slice(2), { show: true });
process.exitCode = ok ? 0 : 1;
