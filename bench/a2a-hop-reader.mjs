// The other process of the bare hop in a2a.bench.mjs: subscribes, and tells when each message came.
import { Redis } from "ioredis";

const subscriber = new Redis(process.argv[2]);
subscriber.on("message", () => process.send(Number(process.hrtime.bigint()) / 1e6));
await subscriber.subscribe("bench-hop");
process.on("disconnect", () => process.exit());
process.send("ready");
