import type { Store } from "../port";

export interface ContractSubject {
	name: string;
	/** Whether data outlives the store, so that `reopen` is there. */
	durable: boolean;
	/** A store with nothing in it. */
	open(): Promise<ContractStore>;
}

export interface ContractStore {
	store: Store;
	/** Closes the store and opens its data again. */
	reopen?(): Promise<Store>;
	/** A second store on the same data, as another process would open it; absent where one owns it. */
	openSecond?(): Promise<Store>;
	/** Frees everything that `open` made; may be called again. */
	dispose(): Promise<void>;
}

export interface ContractContext {
	/** The subject's `open`, disposed of after the test. */
	open(): Promise<ContractStore>;
}
