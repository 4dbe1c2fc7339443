#!/usr/bin/env node
import { homedir } from "node:os";
import { main } from "./cli/main";

process.exitCode = await main(process.argv.slice(2), process.env, homedir());
