#!/usr/bin/env node
/*
 * Holds docs/seed-contract.md to the repository: every row is well formed, its places exist and
 * export what they say, its tests exist and run, its checks pass, and no row is open for an issue
 * that has landed. One line per problem, then a summary; exit 1 when there is a problem.
 *
 *   node scripts/check-seed-contract.mjs [--root <folder>]
 */

import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checkContract } from "./seed-contract/check-contract.mjs";

const { values } = parseArgs({ options: { root: { type: "string" } } });
const root = resolve(values.root ?? join(dirname(fileURLToPath(import.meta.url)), ".."));

const { problems, summary } = checkContract(root);
for (const problem of problems) console.error(`docs/seed-contract.md: ${problem}`);
console.log(summary);
process.exitCode = problems.length > 0 ? 1 : 0;
