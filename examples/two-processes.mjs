import { openStore } from "@baton/session";

const url = process.env.REDIS_URL ?? "redis://127.0.0.1:6379";
const talks = (await openStore({ driver: "redis", url })).collection("talks");
await talks.create("demo", {}).catch((error) => {
	if (error.code !== "already_exists") throw error;
});

for (let n = 1; process.argv[2] === "write"; n++) {
	const { last } = await talks.append("demo", "events", [{ pid: process.pid, n }]);
	console.log("stored", last);
}
for await (const { entries } of talks.follow("demo", "events", { after: 0 })) {
	for (const { seq, event } of entries) console.log(seq, JSON.stringify(event));
}
