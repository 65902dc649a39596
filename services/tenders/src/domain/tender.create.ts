import { admitWrite, isTestOnly } from '@procurement/domain/admission';
import { formatServerDate } from '@procurement/contracts/reading/instant';
import { invalid, problem, type Problem } from '@procurement/contracts/problems/problems';
import { tendersApi } from '@procurement/contracts/api/tenders.api';
import { isJsonObject } from '@procurement/contracts/reading/json-object';
import { jsonPointer } from '@procurement/contracts/reading/json-pointer';
import { parseWith, type ParseResult } from '@procurement/contracts/reading/parse-with';
import type { StoredLot, StoredTender, TenderConfig, TenderInput } from '@procurement/contracts/resources/tender';
import type { Decision } from '@procurement/domain/decision';
import { strictnessOfSegment, readTender, normalized, withIds } from './tender.compose.ts';
import { lacksCreationLevel, mayCreate } from './tender.permissions.ts';
import { crossMemberErrors, periodErrors } from './tender.rules.ts';
import type { CreateTender, TenderCreated } from './tender.ts';

const PROCEDURE = 'belowThreshold';

/** Creates a tender (tenders.md 3.2), still without `tenderID`. Refusals come in the order of http.md 0.2. */
export function createTender(command: CreateTender): Decision<TenderCreated> {
  const { body, meta } = command;
  const { actor } = meta;
  const admission = admitWrite(body, actor, mayCreate(actor));
  if ('refused' in admission) return admission;
  const { data } = admission;
  if ((data['procurementMethodType'] ?? PROCEDURE) !== PROCEDURE) return { refused: problem('tender.method-type') };
  if (lacksCreationLevel(actor)) return { refused: problem('request.level', { subject: 'tender' }) };
  const config = readConfig(command);
  const hasAuction = !config.ok || config.value.hasAuction !== false;
  const reading = readTender(data, meta.settings, {
    route: tendersApi.createTender,
    strictness: strictnessOfSegment(actor.segment),
    hasAuction,
  });
  const faults = [config, reading].flatMap((read) => (read.ok ? [] : read.errors));
  if (!reading.ok || faults.length > 0) return { refused: invalid(faults) };
  const input = reading.value;
  const refusal = inputRefusal(input, command);
  if (refusal !== undefined) return { refused: refusal };
  const document = normalized(newTender(input, command, hasAuction));
  const errors = [...periodErrors(document), ...crossMemberErrors(document)];
  if (errors.length > 0) return { refused: invalid(errors) };
  const { id, ownerTokenHash, transferHash } = meta;
  return { accepted: [{ type: 'TenderCreated', id, owner: document.owner, ownerTokenHash, transferHash, document }] };
}

/** The `config` beside `data`, which segment 2.5 alone reads (rulings R44). What is no object is ignored, as other members are. */
function readConfig({ body, meta }: CreateTender): ParseResult<TenderConfig> {
  const config = body.kind === 'data' && meta.actor.segment === '2.5' ? body.beside?.['config'] : undefined;
  const reading = parseWith(tendersApi.createTender.sentBeside.config, isJsonObject(config) ? config : {});
  if (reading.ok) return reading;
  const errors = reading.errors.map((error) => ({
    ...error,
    name: `config.${error.name}`,
    pointer: jsonPointer(['config', error.name]),
  }));
  return { ok: false, errors };
}

/** Sets `tenderID`. The number is drawn after the decision, so a refused creation draws none (tenders.md 7.1). */
export function withTenderNumber(created: TenderCreated, tenderID: string): TenderCreated {
  return { ...created, document: { ...created.document, tenderID } };
}

function inputRefusal(input: TenderInput, { meta }: CreateTender): Problem | undefined {
  if (isTestOnly(meta.actor) && input.mode !== 'test') return problem('request.test-only', { subject: 'tender' });
  if (input.procuringEntity !== undefined && input.procuringEntity.kind === undefined)
    return problem('tender.kind', { kind: '' });
  return undefined;
}

/** The tender to store: ignores members that a client may not set, and fills in the defaults (tenders.md 3.1). */
function newTender(input: TenderInput, { meta }: CreateTender, hasAuction: boolean): StoredTender {
  const date = formatServerDate(meta.now);
  const {
    owner_token: _token,
    dateModified: _modified,
    next_check: _check,
    auctionPeriod: _auction,
    auctionUrl: _url,
    awardPeriod,
    numberOfBids: _bids,
    bidsSeal: _seal,
    documents: _documents,
    bids: _bidList,
    awards: _awards,
    contracts: _contracts,
    questions: _questions,
    complaints: _complaints,
    cancellations: _cancellations,
    milestones: _milestones,
    features: _features,
    lots,
    ...sent
  } = input;
  return {
    ...sent,
    ...withIds(input, meta.nextId),
    // Only segment 0.1 plans the awards; the first award replaces the period (generations.md 4, award-period).
    ...(meta.actor.segment === '0.1' && awardPeriod !== undefined ? { awardPeriod } : {}),
    ...(lots === undefined ? {} : { lots: lots.map((lot) => newLot(lot, date, meta.nextId)) }),
    id: meta.id,
    tenderID: '',
    date,
    dateCreated: date,
    owner: meta.actor.broker ?? '',
    status: input.status === 'draft' ? 'draft' : 'active.enquiries',
    procurementMethod: 'open',
    procurementMethodType: PROCEDURE,
    ...(hasAuction ? { submissionMethod: 'electronicAuction' } : {}),
    awardCriteria: 'lowestCost',
    enquiryPeriod: { startDate: date, ...withoutUndefinedStart(input.enquiryPeriod) },
  };
}

type Lot = NonNullable<TenderInput['lots']>[number];

function newLot(lot: Lot, date: string, nextId: () => string): StoredLot {
  const { auctionPeriod: _period, auctionUrl: _url, numberOfBids: _bids, ...sent } = lot;
  return { ...sent, id: lot.id ?? nextId(), status: 'active', date };
}

type Period = TenderInput['enquiryPeriod'];

/** Leaves out the key of a start that was not sent: `startDate: undefined` would overwrite the default. */
function withoutUndefinedStart({ startDate, endDate }: NonNullable<Period> = {}): NonNullable<Period> {
  return startDate === undefined ? { endDate } : { startDate, endDate };
}
