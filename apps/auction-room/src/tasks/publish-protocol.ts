import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { isJsonObject } from '@procurement/contracts/reading/json-object';
import { FINAL_PROTOCOL_VERSION } from '../domain/outbound.ts';
import { protocolFile, type Identities } from '../domain/protocol.ts';
import type { YamlValue } from '../domain/yaml.ts';
import type { TenderShape } from '../follow/tender-record.ts';
import { meaningOf } from '../tender-service/answers.table.ts';
import type { ServiceAnswer } from '../tender-service/client.ts';
import { failure, isDone, type Outcome, type TaskContext } from './outcome.ts';
import { readOwnTender } from './read-own-tender.ts';

/** Publishes the protocol, before the results. */
export async function publishProtocol(context: TaskContext): Promise<Outcome> {
  return publish(context, 1, () => ({}));
}

/** Publishes it again with the identities of the bidders, once bids are open. */
export async function publishIdentities(context: TaskContext): Promise<Outcome> {
  return publish(context, FINAL_PROTOCOL_VERSION, identitiesOf);
}

/** A document of the same title is replaced: so a repeat after a lost answer leaves one. */
async function publish(
  context: TaskContext,
  version: number,
  identities: (tender: TenderShape) => Identities,
): Promise<Outcome> {
  const { auction, service } = context;
  const { id, tenderId, lotId } = auction.plan;
  const read = await readOwnTender(context);
  if ('outcome' in read) return read.outcome;
  const { tender } = read;
  const title = `audit_${id}.yaml`;
  const uploaded = await service.upload(title, protocolFile(auction, identities(tender)));
  const registration = uploaded.body['data'];
  if (!isDone(uploaded) || !isJsonObject(registration)) return failure(uploaded, context);
  const data = { ...registration, title, ...(lotId === undefined ? {} : { documentOf: 'lot', relatedItem: lotId }) };
  const existing = tender.documents?.find((document) => document.title === title)?.id ?? auction.protocol?.documentId;
  const path = `/tenders/${tenderId}/documents`;
  const answer = await service.send(
    existing === undefined ? { method: 'POST', path, data } : { method: 'PUT', path: `${path}/${existing}`, data },
  );
  return outcomeOf(answer, context, version);
}

function outcomeOf(answer: ServiceAnswer, context: TaskContext, version: number): Outcome {
  const documentId = idOf(answer.body);
  if (isDone(answer) && documentId !== undefined) return { commands: [{ type: 'NoteProtocol', documentId, version }] };
  // The tender takes documents of an auction no longer: the first version stands.
  if (meaningOf(answer) === 'read-the-tender') return { done: true, readsTender: true };
  return failure(answer, context);
}

function idOf({ data }: JsonObject): string | undefined {
  return isJsonObject(data) && typeof data['id'] === 'string' ? data['id'] : undefined;
}

function identitiesOf({ bids = [] }: TenderShape): Identities {
  // Safe cast: JSON values are YAML values.
  return Object.fromEntries(bids.map(({ id, tenderers = [] }) => [id, tenderers as unknown as YamlValue[]]));
}
