import { z } from 'zod';
import { evenAfterErrors, model } from '../reading/composites.ts';
import { conversionError, REQUIRED } from '../reading/error-messages.ts';
import { oneOf, dateTime, text } from '../reading/scalars.ts';
import { multilingual, multilingualRequired } from './multilingual.ts';

/** The same list for every collection (http.md 2.1). */
export const DOCUMENT_TYPES = [
  'tenderNotice',
  'awardNotice',
  'contractNotice',
  'notice',
  'biddingDocuments',
  'technicalSpecifications',
  'evaluationCriteria',
  'clarifications',
  'shortlistedFirms',
  'riskProvisions',
  'billOfQuantity',
  'bidders',
  'conflictOfInterest',
  'debarments',
  'evaluationReports',
  'winningBid',
  'complaints',
  'contractSigned',
  'contractArrangements',
  'contractSchedule',
  'contractAnnexe',
  'contractGuarantees',
  'subContract',
  'eligibilityCriteria',
  'contractProforma',
  'commercialProposal',
  'qualificationDocuments',
  'eligibilityDocuments',
  'registerExtract',
] as const;

/** Media type without parameters. */
export const MEDIA_TYPE_PATTERN = /^[-\w]+\/[-.\w+]+$/;

/** Hex digits of a hash, by its algorithm (http.md 2.6). */
const HASH_HEX_DIGITS: ReadonlyMap<string, number> = new Map([
  ['md5', 32],
  ['sha1', 40],
  ['sha224', 56],
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);

/** The error of a hash; undefined for `<algorithm>:<hex>` of a known algorithm. */
export function hashError(
  hash: string,
  algorithms: ReadonlyMap<string, number> = HASH_HEX_DIGITS,
): 'Hash type is not supported.' | 'Hash value is wrong length.' | 'Hash value is not hexadecimal.' | undefined {
  const colon = hash.indexOf(':');
  const digits = algorithms.get(hash.slice(0, Math.max(colon, 0)));
  if (digits === undefined) return 'Hash type is not supported.';
  const hex = hash.slice(colon + 1);
  if (hex.length !== digits) return 'Hash value is wrong length.';
  return /^[0-9a-f]+$/i.test(hex) ? undefined : 'Hash value is not hexadecimal.';
}

const hashText = text('identifier', { meta: { examples: ['md5:9a0364b9e99bb480dd25e1f0284c8555'] } }).superRefine(
  (hash, context) => {
    const error = hashError(hash);
    if (error !== undefined) context.addIssue({ code: 'custom', message: conversionError(error) });
  },
);

const documentMembers = {
  id: text('identifier').optional(),
  ...multilingualRequired('title', 'fileName'),
  ...multilingual('description', 'description'),
  format: text('identifier', {
    format: { pattern: MEDIA_TYPE_PATTERN, message: 'String value did not match validation regex.' },
  }),
  url: text('url').optional(),
  hash: hashText.optional(),
  datePublished: dateTime().optional(),
  dateModified: dateTime().optional(),
  documentType: oneOf(DOCUMENT_TYPES).optional(),
  documentOf: oneOf(['tender', 'item', 'lot']).optional(),
  relatedItem: text('identifier').optional(),
  language: text('identifier').optional(),
  author: text('identifier').optional(),
};

function documentModel<S extends z.ZodRawShape>(members: S) {
  return model('Document', members).superRefine((document, context) => {
    // Safe cast: every shape passed here has both members.
    const { documentOf, relatedItem } = document as { documentOf?: string; relatedItem?: string };
    if ((documentOf !== 'item' && documentOf !== 'lot') || relatedItem !== undefined) return;
    context.addIssue({ code: 'custom', path: ['relatedItem'], message: REQUIRED });
  }, evenAfterErrors);
}

/** Body of POST and PUT for a file at the document service (http.md 2.6). `id`, `author` and the dates are ignored. */
export const DocumentInput = documentModel({ ...documentMembers, url: text('url') }).meta({ id: 'DocumentInput' });
export type DocumentInput = z.infer<typeof DocumentInput>;

/** Body of a PATCH, and the stored form: `url` is made for each answer. */
export const DocumentPatch = documentModel(documentMembers).meta({ id: 'DocumentPatch' });
export type DocumentRecord = z.infer<typeof DocumentPatch>;

/** The error of `relatedItem`; undefined if it names an item or lot of the tender (http.md 2.1). */
export function relatedItemError(
  { documentOf = 'tender', relatedItem }: Pick<DocumentRecord, 'documentOf' | 'relatedItem'>,
  tender: {
    readonly items?: readonly { id: string }[] | undefined;
    readonly lots?: readonly { id: string }[] | undefined;
  },
): string | undefined {
  if (documentOf === 'tender' || relatedItem === undefined) return undefined;
  const known = (documentOf === 'lot' ? tender.lots : tender.items) ?? [];
  return known.some(({ id }) => id === relatedItem) ? undefined : `relatedItem should be one of ${documentOf}s`;
}

/** One version of a document in answers. */
export const Document = z
  .looseObject({
    ...documentMembers,
    id: text('identifier'),
    url: text('url'),
    datePublished: dateTime(),
    dateModified: dateTime(),
  })
  .meta({ id: 'Document' });
export type Document = z.infer<typeof Document>;

/** A document with its earlier versions, oldest first (http.md 2.4). */
export const DocumentWithHistory = z
  .looseObject({ ...Document.shape, previousVersions: z.array(Document) })
  .meta({ id: 'DocumentWithHistory' });
