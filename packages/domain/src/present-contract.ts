import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';

/**
 * The contract of a tender as it is now: what followed its signature, laid over what was signed. Its changes and what was paid stand at the
 * top, its transactions in `implementation`, as at the address of the contract itself.
 */
export function presentContract(contract: JsonObject): JsonObject {
  const { implementation, ...signed } = contract;
  if (!isJsonObject(implementation)) return signed;
  const { transactions, ...present } = implementation;
  return { ...signed, ...present, ...(transactions === undefined ? {} : { implementation: { transactions } }) };
}
