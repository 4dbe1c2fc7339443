import type { RelayRequest, RelayResponse, SnapshotField } from "../src/types";

export const nameField: SnapshotField = {
	fieldId: "f1",
	selector: "#name",
	kind: "text",
	label: "Name",
	required: true,
	currentValue: "",
};

export function snapshotRequest(requestId: string): RelayRequest {
	return { type: "snapshot_request", requestId, instruction: "Read the form" };
}

export function executeRequest(requestId: string): RelayRequest {
	const actions = [{ action: "fill" as const, fieldId: "f1", value: "Ada" }];
	return { type: "execute_request", requestId, actions, fields: [nameField] };
}

export function snapshotResponse(requestId: string, label = "Name"): RelayResponse {
	return { type: "snapshot_response", requestId, fields: [{ ...nameField, label }] };
}

export function executeResponse(requestId: string): RelayResponse {
	const report = { applied: 1, skipped: 0, warnings: [] };
	return { type: "execute_response", requestId, report };
}
