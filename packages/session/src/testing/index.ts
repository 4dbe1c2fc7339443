export type { ContractStore, ContractSubject } from "./contract-subject";
export { testStoreContract } from "./store-contract";
