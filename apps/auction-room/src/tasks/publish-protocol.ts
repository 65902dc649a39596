import { createHash } from 'node:crypto';
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

const VERSIONS = { protocol: 1, identities: FINAL_PROTOCOL_VERSION } as const;

/** Publishes the protocol, before the results. */
export async function publishProtocol(context: TaskContext): Promise<Outcome> {
  return publish(context, 'protocol', () => ({}));
}

/** Publishes it again with the identities of the bidders, once bids are open. */
export async function publishIdentities(context: TaskContext): Promise<Outcome> {
  return publish(context, 'identities', identitiesOf);
}

/**
 * A document of the same title is replaced: so a repeat after a lost answer leaves one. A leader that was replaced may send the same
 * at the same time, when neither finds the document of the other: then their keys are equal (auction-room.md 6.3). The key of the
 * registration is that of its data, which have the address of the upload: a document service without keys stores the file twice.
 */
async function publish(
  context: TaskContext,
  kind: keyof typeof VERSIONS,
  identities: (tender: TenderShape) => Identities,
): Promise<Outcome> {
  const { auction, service } = context;
  const { id, tenderId, lotId } = auction.plan;
  const read = await readOwnTender(context);
  if ('outcome' in read) return read.outcome;
  const { tender } = read;
  const idempotencyKeyOf = (sent: string): string =>
    `room-${id}-${kind}-${createHash('sha256').update(sent).digest('hex')}`;
  const title = `audit_${id}.yaml`;
  const content = protocolFile(auction, identities(tender));
  const uploaded = await service.upload(title, content, idempotencyKeyOf(content));
  const registration = uploaded.body['data'];
  if (!isDone(uploaded) || !isJsonObject(registration)) return failure(uploaded, context);
  const data = { ...registration, title, ...(lotId === undefined ? {} : { documentOf: 'lot', relatedItem: lotId }) };
  const existing = tender.documents?.find((document) => document.title === title)?.id ?? auction.protocol?.documentId;
  const path = `/tenders/${tenderId}/documents`;
  const answer = await service.send(
    existing === undefined
      ? { method: 'POST', path, data, idempotencyKey: idempotencyKeyOf(JSON.stringify(data)) }
      : { method: 'PUT', path: `${path}/${existing}`, data },
  );
  return judgeAnswer(answer, context, VERSIONS[kind]);
}

function judgeAnswer(answer: ServiceAnswer, context: TaskContext, version: number): Outcome {
  const documentId = readDocumentId(answer.body);
  if (isDone(answer) && documentId !== undefined) return { commands: [{ type: 'NoteProtocol', documentId, version }] };
  // The tender takes documents of an auction no longer: the first version stands.
  if (meaningOf(answer) === 'read-the-tender') return { done: true, readsTender: true };
  return failure(answer, context);
}

function readDocumentId({ data }: JsonObject): string | undefined {
  return isJsonObject(data) && typeof data['id'] === 'string' ? data['id'] : undefined;
}

function identitiesOf({ bids = [] }: TenderShape): Identities {
  // Safe cast: JSON values are YAML values.
  return Object.fromEntries(bids.map(({ id, tenderers = [] }) => [id, tenderers as unknown as YamlValue[]]));
}
