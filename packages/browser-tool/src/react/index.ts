"use client";

/** The tools of the page for `useChat`. */
export type { Approval } from "./approvals";
export type { Claim, ClaimAnswer, ClaimRequest } from "./claim-call";
export type { ChatLike, ToolCall, ToolOutput } from "./tool-call";
export type { BrowserToolsOptions } from "./tool-runner";
export { type BrowserTools, useBrowserTools } from "./use-browser-tools";
