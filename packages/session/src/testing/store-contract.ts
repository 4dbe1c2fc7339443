import { afterEach, describe } from "vitest";
import { alarmContract } from "./alarm-contract";
import { boundaryContract } from "./boundary-contract";
import { concurrencyContract } from "./concurrency-contract";
import { conditionsContract } from "./conditions-contract";
import type { ContractContext, ContractStore, ContractSubject } from "./contract-subject";
import { expiryContract } from "./expiry-contract";
import { followContract } from "./follow-contract";
import { leaseContract } from "./lease-contract";
import { listContract } from "./list-contract";
import { logContract } from "./log-contract";
import { modelContract } from "./model-contract";
import { recordsContract } from "./records-contract";
import { restartContract } from "./restart-contract";
import { stepContract } from "./step-contract";

/** Holds a driver to the invariants written above the port. Call it in a vitest file. */
export function testStoreContract(subject: ContractSubject): void {
	describe(`store contract: ${subject.name}`, () => {
		const opened: ContractStore[] = [];
		afterEach(async () => {
			for (const contractStore of opened.splice(0)) await contractStore.dispose();
		});
		const context: ContractContext = {
			async open() {
				const contractStore = await subject.open();
				opened.push(contractStore);
				return contractStore;
			},
		};
		recordsContract(context);
		listContract(context);
		logContract(context);
		boundaryContract(context);
		conditionsContract(context);
		stepContract(context);
		followContract(context);
		leaseContract(context);
		expiryContract(context);
		alarmContract(context);
		concurrencyContract(context);
		if (subject.durable) restartContract(context);
		modelContract(context);
	});
}
