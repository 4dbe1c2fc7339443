export { DEMO_HELP, demoPieces, MAX_DEMO_WORDS } from "./commands";
export { createDemoAgent, type DemoAgentOptions } from "./demo-agent";
