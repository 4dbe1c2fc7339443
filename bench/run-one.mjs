// Runs one bench in a process of its own, so that none inherits the heap and the compiled code of
// another, and sends its rows to run.mjs.
const [url, options] = process.argv.slice(2);
const { run } = await import(url);
process.send(await run(JSON.parse(options)));
process.disconnect();
