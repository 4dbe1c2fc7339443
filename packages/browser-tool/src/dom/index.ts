/** The tools that run in the page: what an agent sees of its forms, and what it does to them. */
export type { ApprovalRequest, Approve } from "./approval";
export { type ExecuteOptions, execute } from "./execute";
export { type Snapshot, type SnapshotOptions, snapshot } from "./snapshot";
export type { Root } from "./tree";
export type { Opaque } from "./walk-page";
