import { readFileSync } from 'node:fs';
import type { Envelope } from '@procurement/contracts/events/envelope';
import { transact } from '@procurement/kit/database/transaction';
import { waitFor } from '@procurement/testing/wait-for';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tenderFacts } from '../../test-support/document-facts.ts';
import { eventOf } from '../../test-support/events.ts';
import { fileForm, sendForm, tenderOwner } from '../../test-support/requests.ts';
import { setupDocuments } from '../../test-support/setup-documents.ts';
import { onTenderChanged } from './on-tender-changed.ts';

const running = setupDocuments();

// JSON of any shape: the schemas that the previous release was built with (packages/contracts/README.md).
const { components }: any = JSON.parse(
  readFileSync(
    new URL('../../../../packages/contracts/test-support/previous-release/asyncapi.json', import.meta.url),
    'utf8',
  ),
);

/** Like `parse` of that release: a member that its schema does not have is removed, unless the object is loose. */
function withoutUnknown(schema: any, value: any): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutUnknown(schema.items ?? {}, one));
  if (typeof value !== 'object' || value === null || schema.properties === undefined) return value;
  const isLoose = schema.additionalProperties !== undefined;
  const members = Object.entries(value).filter(([name]) => isLoose || name in schema.properties);
  return Object.fromEntries(members.map(([name, one]) => [name, withoutUnknown(schema.properties[name] ?? {}, one)]));
}

const FORMER_UPSERT = `INSERT INTO replica (kind, id, version, facts) VALUES ($1, $2, $3, $4)
  ON CONFLICT (kind, id) DO UPDATE SET version = excluded.version, facts = excluded.facts, updated_at = now()
  WHERE replica.version < excluded.version`;

/** A pod of the previous release applies the event of a tender. Throws where that pod would make a dead letter. */
async function applyByPreviousRelease({ type, data }: Envelope): Promise<void> {
  const schema = components.messages[type.replaceAll('.', '-')].payload.properties.data;
  z.fromJSONSchema(schema).parse(data);
  const kept = z.looseObject({ id: z.string(), version: z.int() }).parse(withoutUnknown(schema, data));
  await running().database.pool.query(FORMER_UPSERT, ['tender', kept.id, kept.version, JSON.stringify(kept)]);
}

/** A tender with a member that the release after this one may add. */
const later = (version: number) => ({ ...tenderFacts(), version, guarantee: { amount: 5 } });

async function storedFacts(): Promise<unknown> {
  const { rows } = await running().database.pool.query(`SELECT facts FROM replica WHERE kind = 'tender' AND id = $1`, [
    later(1).id,
  ]);
  return JSON.parse(rows[0].facts);
}

async function applyByThisRelease(event: Envelope): Promise<void> {
  await transact(running().database.pool, async (tx) => onTenderChanged(running().deps).apply(tx, [event]));
}

const changed = (data: object): Envelope => eventOf('tenders', 'tender.changed', tenderFacts().id, data);

describe('the copy of a tender while two releases run', () => {
  it('keeps members that this release does not know', async () => {
    await applyByThisRelease(changed(later(1)));
    expect(await storedFacts()).toEqual(later(1));
  });

  it('gets back the members that a pod of the previous release has removed, from the same version', async () => {
    await applyByPreviousRelease(changed(later(2)));
    expect(await storedFacts()).not.toHaveProperty('guarantee');
    await applyByThisRelease(changed(later(2)));
    expect(await storedFacts()).toEqual(later(2));
  });

  it('gets them back from the owner when it is read, when the event was applied by the other pod only', async () => {
    await applyByPreviousRelease(changed(later(3)));
    running().ownerTenders.set(later(3).id, later(3));
    expect((await running().deps.tenders.find(later(3).id))?.version).toBe(3);
    const repaired = waitFor(async () => JSON.stringify(await storedFacts()).includes('guarantee'), { what: 'repair' });
    expect(await repaired).toBe(true);
    expect(await storedFacts()).toEqual(later(3));
  });

  it('lets nothing be written in a status of a later release, and still shows what is public', async () => {
    const tender = await running().tender({ status: 'active.prequalification' });
    const url = `/tenders/${tender.id}/documents`;
    const refused = await sendForm(running().app, 'POST', url, tenderOwner, fileForm());
    expect([refused.statusCode, refused.json().errors[0].description]).toEqual([
      403,
      "Can't add document in current (active.prequalification) tender status",
    ]);
    expect((await running().app.inject({ url, headers: tenderOwner })).statusCode).toBe(200);
  });
});
