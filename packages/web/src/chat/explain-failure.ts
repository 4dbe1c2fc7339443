import { GiselleError } from "@giselles-ai/giselle-provider";
import { APICallError } from "ai";

/** A failure in words for the person. What it does not know it does not tell. */
export function explainFailure(error: unknown): string {
	if (error instanceof GiselleError || APICallError.isInstance(error)) return error.message;
	return "The reply failed. Try again.";
}
