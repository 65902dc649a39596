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

const SHA256_EXAMPLE = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const DOCUMENT_OF = ['tender', 'item', 'lot'] as const;
/** What documents at a contract's own address may be about (contracting.md 6). */
const CONTRACT_DOCUMENT_OF = ['contract', ...DOCUMENT_OF, 'change'] as const;
/** Those that need a `relatedItem`. */
const RELATED: ReadonlySet<string> = new Set(['item', 'lot', 'change']);

const documentMembers = {
  id: text('identifier').optional(),
  ...multilingualRequired('title', 'fileName'),
  ...multilingual('description', 'description'),
  format: text('identifier', {
    format: { pattern: MEDIA_TYPE_PATTERN, message: 'String value did not match validation regex.' },
  }),
  url: text('url').optional(),
  hash: hashText.optional(),
  sha256: text('identifier', {
    meta: { description: 'SHA-256 of the file in hex, set by the service', examples: [SHA256_EXAMPLE] },
  }).optional(),
  datePublished: dateTime().optional(),
  dateModified: dateTime().optional(),
  documentType: oneOf(DOCUMENT_TYPES).optional(),
  documentOf: oneOf(DOCUMENT_OF).optional(),
  relatedItem: text('identifier').optional(),
  language: text('identifier').optional(),
  author: text('identifier').optional(),
};

function documentModel<S extends z.ZodRawShape>(members: S) {
  return model('Document', members).superRefine((document, context) => {
    // Safe cast: every shape passed here has both members.
    const { documentOf, relatedItem } = document as { documentOf?: string; relatedItem?: string };
    if (documentOf === undefined || !RELATED.has(documentOf) || relatedItem !== undefined) return;
    context.addIssue({ code: 'custom', path: ['relatedItem'], message: REQUIRED });
  }, evenAfterErrors);
}

/** Body of POST and PUT for a file at the document service (http.md 2.6). `id`, `author`, `sha256` and the dates are ignored. */
export const DocumentInput = documentModel({ ...documentMembers, url: text('url') }).meta({ id: 'DocumentInput' });
export type DocumentInput = z.infer<typeof DocumentInput>;

/** Body of a PATCH, and the stored form: `url` is made for each answer. */
export const DocumentPatch = documentModel(documentMembers).meta({ id: 'DocumentPatch' });

const contractDocumentMembers = { ...documentMembers, documentOf: oneOf(CONTRACT_DOCUMENT_OF).optional() };

/** The same bodies at a contract's own address. */
export const ContractDocumentInput = documentModel({ ...contractDocumentMembers, url: text('url') }).meta({
  id: 'ContractDocumentInput',
});
export const ContractDocumentPatch = documentModel(contractDocumentMembers).meta({ id: 'ContractDocumentPatch' });
export type DocumentRecord = z.infer<typeof ContractDocumentPatch>;

/** Objects that documents may be about. */
export interface RelatedObjects {
  readonly items?: readonly { readonly id?: string | undefined }[] | undefined;
  readonly lots?: readonly { readonly id: string }[] | undefined;
  readonly changes?: readonly { readonly id: string }[] | undefined;
}

/** The error of `relatedItem`; undefined if it names an object of its kind (http.md 2.1, contracting.md 6). */
export function relatedItemError(
  { documentOf = 'tender', relatedItem }: Pick<DocumentRecord, 'documentOf' | 'relatedItem'>,
  related: RelatedObjects,
): string | undefined {
  if (documentOf === 'tender' || documentOf === 'contract' || relatedItem === undefined) return undefined;
  const known = related[`${documentOf}s`] ?? [];
  return known.some(({ id }) => id === relatedItem) ? undefined : `relatedItem should be one of ${documentOf}s`;
}

/** One version of a document in answers. */
export const Document = z
  .looseObject({
    ...contractDocumentMembers,
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
