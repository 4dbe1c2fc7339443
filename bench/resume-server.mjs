// The peer of an attach: a process that resumes a stream which another process writes, over HTTP.
import { createServer } from "node:http";
import { Redis } from "ioredis";
import { createResumableStreamContext } from "resumable-stream/ioredis";
import { SESSION } from "./attach-writer.mjs";

const [url] = process.argv.slice(2);
const [publisher, subscriber] = [new Redis(url), new Redis(url)];
const context = createResumableStreamContext({ waitUntil: null, publisher, subscriber });

const server = createServer(async (_, response) => {
	response.writeHead(200, { "content-type": "application/x-ndjson" });
	const stream = await context.resumeExistingStream(SESSION);
	for await (const text of stream) {
		if (!response.writable) break;
		response.write(text);
	}
	response.end();
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
