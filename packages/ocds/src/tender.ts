import type { JsonObject } from '@procurement/contracts/reading/json-object';
import {
  awardCriteria,
  categoryOfClass,
  LOT_STATUSES,
  lookUp,
  PROCUREMENT_CATEGORIES,
  PROCUREMENT_METHODS,
  TENDER_STATUSES,
} from './codes.ts';
import { mapDocuments } from './documents.ts';
import { mapFeatures } from './features.ts';
import type { Parties } from './parties.ts';
import { CURRENT_STAGES } from './standard.golden.ts';
import {
  compact,
  identified,
  idText,
  money,
  multilingual,
  asObject,
  asObjects,
  asCode,
  period,
  text,
  timestamp,
  uniqueById,
  uri,
} from './values.ts';

/** What the section `tender` takes from the rest of the release. */
export interface TenderContext {
  readonly tenderUrl: string;
  readonly procuringEntity: JsonObject | undefined;
  readonly items: readonly JsonObject[];
  readonly enquiries: readonly JsonObject[];
  /** Undefined until bids are opened. */
  readonly tenderers: readonly JsonObject[] | undefined;
}

/** The section `tender` (ocds.md 2.3). */
export function mapTender(tender: JsonObject, context: TenderContext): JsonObject {
  const { tenderUrl, procuringEntity, items, enquiries, tenderers } = context;
  const criteria = mapFeatures(tender['features']);
  return compact({
    id: tender['id'],
    ...multilingual(tender, 'title', 'description'),
    status: lookUp(TENDER_STATUSES, String(tender['status']).split('.')[0] ?? ''),
    currentStage: asCode(CURRENT_STAGES, tender['status']),
    procuringEntity,
    items,
    value: money(tender['value']),
    procurementMethod: asCode(PROCUREMENT_METHODS, tender['procurementMethod']),
    procurementMethodDetails: text(tender['procurementMethodType']),
    ...multilingual(tender, 'procurementMethodRationale'),
    mainProcurementCategory:
      asCode(PROCUREMENT_CATEGORIES, tender['mainProcurementCategory']) ?? derivedCategory(tender),
    awardCriteria: awardCriteria(text(tender['awardCriteria']), criteria.length > 0),
    ...multilingual(tender, 'awardCriteriaDetails'),
    submissionMethod: submissionMethods(tender),
    ...multilingual(tender, 'submissionMethodDetails'),
    enquiryPeriod: period(tender['enquiryPeriod']),
    hasEnquiries: tender['hasEnquiries'] === true || asObjects(tender['questions']).length > 0,
    enquiries,
    ...multilingual(tender, 'eligibilityCriteria'),
    tenderPeriod: period(tender['tenderPeriod']),
    auctions: auctions(tender),
    awardPeriod: period(tender['awardPeriod']),
    lots: identified(tender['lots']).map(lot),
    criteria,
    numberOfTenderers: tenderers?.length,
    tenderers,
    documents: documents(tender, tenderUrl),
    amendments: activeCancellations(tender).map(amendment),
  });
}

/** A tender without auction shows a procurement method and no method of submission (rulings R44). */
function submissionMethods(tender: JsonObject): readonly string[] | undefined {
  const method = text(tender['submissionMethod']);
  if (method !== undefined) return [method];
  return tender['procurementMethod'] === undefined ? undefined : ['electronicSubmission'];
}

function derivedCategory(tender: JsonObject): string | undefined {
  const { scheme, id } = asObject(asObjects(tender['items'])[0]?.['classification']);
  return categoryOfClass(scheme, idText(id));
}

/** The auction of the tender, or of each lot; the extension has no reference to a lot. */
function auctions(tender: JsonObject): readonly JsonObject[] {
  const lots = asObjects(tender['lots']);
  return (lots.length === 0 ? [tender] : lots).map(auction).filter((entry) => Object.keys(entry).length > 0);
}

function auction(of: JsonObject): JsonObject {
  return compact({
    url: uri(of['auctionUrl']),
    period: period(of['auctionPeriod']),
    minimalStep: money(of['minimalStep']),
  });
}

function lot(source: JsonObject): JsonObject {
  return compact({
    id: idText(source['id']),
    title: text(source['title']),
    description: text(source['description']),
    status: asCode(LOT_STATUSES, source['status']),
    value: money(source['value']),
  });
}

/** Questions; their authors are parties once the public sees them (ocds.md 2.7). */
export function mapQuestions(questions: unknown, parties: Parties): readonly JsonObject[] {
  return identified(questions).map((question) => enquiry(question, parties));
}

function enquiry(question: JsonObject, parties: Parties): JsonObject {
  const related = idText(question['relatedItem']);
  return compact({
    id: idText(question['id']),
    date: timestamp(question['date']),
    author: parties.refer(question['author'], 'enquirer'),
    title: text(question['title']),
    description: text(question['description']),
    answer: text(question['answer']),
    dateAnswered: timestamp(question['dateAnswered']),
    relatedItem: question['questionOf'] === 'item' ? related : undefined,
    relatedLot: question['questionOf'] === 'lot' ? related : undefined,
  });
}

function documents(tender: JsonObject, tenderUrl: string): readonly JsonObject[] {
  return uniqueById([
    ...mapDocuments(tender['documents'], { place: 'tender', tenderUrl }),
    ...activeCancellations(tender).flatMap((cancellation) =>
      mapDocuments(cancellation['documents'], { place: 'cancellation', tenderUrl, parentId: cancellation['id'] }),
    ),
  ]);
}

function activeCancellations(tender: JsonObject): readonly JsonObject[] {
  return identified(tender['cancellations']).filter(({ status }) => status === 'active');
}

const RATIONALES = { rationale: 'reason', rationale_en: 'reason_en', rationale_ru: 'reason_ru' } as const;

function amendment(cancellation: JsonObject): JsonObject {
  const { cancellationOf, relatedLot } = cancellation;
  const rationales = Object.entries(RATIONALES).map(([name, from]) => [name, text(cancellation[from])]);
  return compact({
    id: idText(cancellation['id']),
    date: timestamp(cancellation['date']),
    ...Object.fromEntries(rationales),
    description:
      cancellationOf === 'lot' ? `Cancellation of lot ${idText(relatedLot) ?? ''}` : 'Cancellation of the tender',
  });
}
