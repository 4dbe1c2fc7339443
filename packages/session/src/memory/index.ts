import type { Store } from "../port";
import { createStore } from "../store";
import { MemoryDriver } from "./memory-driver";

/** A store that lives as long as its process: for tests, and the model that the others are checked against. */
export function openMemoryStore(): Store {
	return createStore(new MemoryDriver());
}
