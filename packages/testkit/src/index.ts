export type { Exit } from "./child";
export { launchChromium } from "./chromium";
export {
	type FakeGemini,
	type FakeGeminiRequest,
	type FakeGeminiScript,
	type FakeGeminiStep,
	startFakeGemini,
} from "./fake-gemini";
export { freePort } from "./free-port";
export { requirePart } from "./parts";
export { type RedisCluster, startRedisCluster } from "./redis-cluster";
export { type RedisSentinel, startSentinel } from "./redis-sentinel";
export { type RedisOptions, type RedisServer, startRedis } from "./redis-server";
export {
	type NodeProcess,
	type NodeSource,
	type SpawnNodeOptions,
	spawnNode,
} from "./spawn-node";
export { startTcpProxy, type TcpProxy } from "./tcp-proxy";
export { type TempDir, tempDir } from "./temp-dir";
export { startTlsRedis, type TlsRedis } from "./tls-redis";
export { type WaitOptions, waitFor } from "./wait-for";
