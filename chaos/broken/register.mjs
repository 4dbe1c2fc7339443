// Loaded into an instance before anything else, to show that the checker can fail: takes one
// invariant out of the built code as it is loaded. See breaks.mjs.
import { register } from "node:module";

register("./hooks.mjs", import.meta.url, { data: process.env.BATON_CHAOS_BREAK });
