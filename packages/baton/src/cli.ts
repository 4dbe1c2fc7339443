#!/usr/bin/env node
import { homedir } from "node:os";
import { main } from "./cli/main";
import { endOutput, leaveWithReader } from "./cli/output";

leaveWithReader();
const code = await main(process.argv.slice(2), process.env, homedir());
await endOutput();
// By now all is written and closed; a timer that somebody forgot must not keep the process.
process.exit(code);
