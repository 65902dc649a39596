import type { JsonObject } from '@procurement/contracts/reading/json-object';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import { splitAtDateModified } from '@procurement/domain/date-modified';
import { toJsonText } from '@procurement/domain/json-text';
import { hashOfShown } from '@procurement/kit/http/etag';
import type { Awarding } from '../domain/awarding.ts';
import { ownerOfContract } from '../domain/awarding.permissions.ts';
import { composeContractView, CONTRACT_FEED_MEMBERS } from '../domain/contract-feed.view.ts';

/** What the feed and the view of a contract store. `head` and `tail`: the text before and after the value of `dateModified`. */
export interface ContractPublication {
  readonly id: string;
  readonly isTest: boolean;
  readonly viewHash: string;
  readonly fastFields: string;
  readonly head: string;
  readonly tail: string;
}

/** The view of a contract with these documents, and a placeholder for `dateModified`. */
export function buildContractView(
  awarding: Awarding,
  contract: StoredContract,
  documents: readonly unknown[],
): JsonObject {
  const { tender, procuringEntity } = awarding;
  return composeContractView(contract, {
    tender,
    owner: ownerOfContract(awarding, contract.id),
    procuringEntity,
    documents,
  });
}

export function contractPublication(
  awarding: Awarding,
  contract: StoredContract,
  documents: readonly unknown[],
): ContractPublication {
  const view = buildContractView(awarding, contract, documents);
  const text = `{"data":${toJsonText(view)}}`;
  return {
    id: contract.id,
    isTest: awarding.tender.mode === 'test',
    viewHash: hashOfShown(text),
    fastFields: toJsonText(Object.fromEntries(CONTRACT_FEED_MEMBERS.map((name) => [name, view[name]]))),
    ...splitAtDateModified(text),
  };
}
