export { type ContractStore, type ContractSubject, testStoreContract } from "./store-contract";
