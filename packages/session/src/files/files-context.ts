import type { CollectionPaths } from "./collection-paths";
import type { OpenHandles } from "./open-handles";
import type { ReportProblem } from "./problem";
import type { SpareFiles } from "./spare-files";
import type { SyncPolicy } from "./sync-policy";

/** What the parts of a collection share. */
export interface FilesContext {
	readonly paths: CollectionPaths;
	readonly handles: OpenHandles;
	readonly spares: SpareFiles;
	readonly sync: SyncPolicy;
	readonly report: ReportProblem;
}
