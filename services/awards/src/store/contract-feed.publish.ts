import { DocumentFacts } from '@procurement/contracts/events/document.events';
import type { StoredContract } from '@procurement/contracts/resources/contract';
import { textArray } from '@procurement/kit/database/text-array';
import type pg from 'pg';
import type { Awarding, AwardingState } from '../domain/awarding.ts';
import { contractPublication } from './contract-feed.row.ts';

/** Contracts of one awarding to publish, with the newest facts of its tender that this service knows. */
export interface ContractsToPublish {
  readonly awarding: Awarding;
  readonly contracts: readonly StoredContract[];
}

const PUBLISH = `SELECT publish_contracts(p_contracts => $1::json, p_heads => $2::text[], p_tails => $3::text[], p_always => $4)`;
const DOCUMENTS = `SELECT id, facts FROM kit.replica WHERE kind = 'documents' AND id = ANY($1::text[])`;

/**
 * Publishes those of these contracts of which the public sees something else than before; with `always`, all. Must be the last statement
 * of a transaction that has locked the awardings: it may end by taking the lock of the feed, so the commit must follow at once
 * (contracting.md 9.2). `documents`: by contract, read after the awardings were locked; read here when it is absent.
 */
export async function publishContracts(
  tx: pg.PoolClient,
  given: readonly ContractsToPublish[],
  options: { readonly always?: boolean; readonly documents?: ReadonlyMap<string, readonly unknown[]> } = {},
): Promise<void> {
  const changed = given.filter(({ contracts }) => contracts.length > 0);
  if (changed.length === 0) return;
  const ids = changed.map(({ awarding }) => awarding.id);
  const { always = false, documents = await contractDocuments(tx, ids) } = options;
  const rows = changed.flatMap(({ awarding, contracts }) =>
    contracts.map((contract) => contractPublication(awarding, contract, documents.get(contract.id) ?? [])),
  );
  const values = [
    JSON.stringify(rows.map(({ id, isTest, viewHash, fastFields }) => ({ id, isTest, viewHash, fastFields }))),
    textArray(rows.map(({ head }) => head)),
    textArray(rows.map(({ tail }) => tail)),
    always,
  ];
  await tx.query({ name: 'contracts-publish', text: PUBLISH, values });
}

/** The documents of all contracts of these tenders by contract, as the local copy has them. */
export async function contractDocuments(
  db: Pick<pg.Pool, 'query'>,
  tenderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly unknown[]>> {
  if (tenderIds.length === 0) return new Map();
  const statement = { name: 'contract-documents', text: DOCUMENTS, values: [tenderIds] };
  const { rows } = await db.query<{ facts: string }>(statement);
  const byContract = new Map<string, unknown[]>();
  for (const { facts } of rows) {
    for (const { parent, document } of DocumentFacts.parse(JSON.parse(facts)).documents) {
      if (parent.kind !== 'contract') continue;
      const known = byContract.get(parent.id);
      if (known === undefined) byContract.set(parent.id, [document]);
      else known.push(document);
    }
  }
  return byContract;
}

/**
 * The contracts that a decision has made, changed, or given another token, and all when they show another procuring entity: two states
 * share what is the same.
 */
export function contractsToPublish(before: AwardingState, after: AwardingState): readonly StoredContract[] {
  if (before.procuringEntity !== after.procuringEntity) return after.contracts;
  const former = new Map(before.contracts.map((contract) => [contract.id, contract]));
  return after.contracts.filter(
    (contract) =>
      former.get(contract.id) !== contract || before.contractOwners[contract.id] !== after.contractOwners[contract.id],
  );
}
