import type { MethodHandler } from "./types";

interface MethodOptions {
	/** It may take long, and changes nothing whose order matters: others go past it. */
	aside?: boolean;
}

interface Method extends MethodOptions {
	handler: MethodHandler;
}

/** The methods of the gateway, by name. */
class MethodRegistry {
	readonly #methods = new Map<string, Method>();

	register(name: string, handler: MethodHandler, options: MethodOptions = {}): void {
		if (this.#methods.has(name)) throw new Error(`There is a method "${name}" already.`);
		this.#methods.set(name, { handler, ...options });
	}

	find(name: string): Method | undefined {
		return this.#methods.get(name);
	}

	get names(): string[] {
		return [...this.#methods.keys()];
	}
}

export const registry = new MethodRegistry();
