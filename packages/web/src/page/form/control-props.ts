import type { FieldValue } from "./draft";
import type { FieldDefinition } from "./sections";

/** What each kind of control gets. */
export interface ControlProps<K extends FieldDefinition["kind"] = FieldDefinition["kind"]> {
	id: string;
	field: Extract<FieldDefinition, { kind: K }>;
	value: FieldValue | undefined;
	isInvalid: boolean;
	describedBy: string | undefined;
	onChange(value: FieldValue): void;
}
