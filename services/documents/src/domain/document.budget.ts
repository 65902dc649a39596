import {
  DOCUMENT_QUOTAS,
  DOCUMENTS_OF_PARENT_MAX,
  OBJECT_BYTES_MAX,
  type DocumentQuota,
} from '@procurement/contracts/limits';
import type { Problem } from '@procurement/contracts/problems/problems';
import { limitRefusal, type Limit, type LimitCode } from '@procurement/domain/budget';
import { jsonBytes } from '@procurement/domain/json-text';
import type { DocumentUsage, ParentKind, StoredRecord } from './document.ts';

type Usage = DocumentUsage['ofQuota'];

/** The quota that documents of a parent take, by who adds them. */
const ROOM_OF_PARENT = {
  tender: 'owner',
  cancellation: 'owner',
  award: 'owner',
  contract: 'contracts',
  bid: 'bids',
  complaint: 'complaints',
  'award complaint': 'complaints',
} as const satisfies Record<ParentKind, DocumentQuota>;

/** The kinds of parents whose documents share a quota with those of this kind. */
export function parentKindsInQuotaOf(kind: ParentKind): readonly ParentKind[] {
  // Safe cast: the keys of a constant object are those of its type.
  const kinds = Object.keys(ROOM_OF_PARENT) as ParentKind[];
  return kinds.filter((other) => ROOM_OF_PARENT[other] === ROOM_OF_PARENT[kind]);
}

interface Measured extends DocumentUsage {
  readonly recordBytes: number;
}

const NUMBERS = [
  'limit.documents-of-parent',
  'limit.documents',
  'limit.documents-of-broker',
] as const satisfies readonly LimitCode[];
const SIZES = ['limit.document-quota', 'limit.document-quota-of-broker'] as const satisfies readonly LimitCode[];

function limitsOfQuota(quota: DocumentQuota): Readonly<Partial<Record<LimitCode, Limit<Measured>>>> {
  const { versionsMax, bytesMax, ofBroker }: QuotaLimits = DOCUMENT_QUOTAS[quota];
  return {
    'limit.document-bytes': {
      unit: 'bytes',
      max: OBJECT_BYTES_MAX.document,
      measure: ({ recordBytes }) => recordBytes,
    },
    'limit.documents-of-parent': {
      unit: 'objects',
      max: DOCUMENTS_OF_PARENT_MAX,
      measure: ({ versionsOfParent }) => versionsOfParent,
    },
    'limit.documents': { unit: 'objects', max: versionsMax, measure: (measured) => measured.ofQuota.versions },
    'limit.document-quota': { unit: 'bytes', max: bytesMax, measure: (measured) => measured.ofQuota.bytes },
    ...(ofBroker === undefined
      ? {}
      : {
          'limit.documents-of-broker': {
            unit: 'objects',
            max: ofBroker.versionsMax,
            measure: (measured) => measured.ofBroker.versions,
          },
          'limit.document-quota-of-broker': {
            unit: 'bytes',
            max: ofBroker.bytesMax,
            measure: (measured) => measured.ofBroker.bytes,
          },
        }),
  };
}

interface QuotaLimits {
  readonly versionsMax: number;
  readonly bytesMax: number;
  readonly ofBroker?: { readonly versionsMax: number; readonly bytesMax: number };
}

const LIMITS = {
  owner: limitsOfQuota('owner'),
  contracts: limitsOfQuota('contracts'),
  bids: limitsOfQuota('bids'),
  complaints: limitsOfQuota('complaints'),
} as const satisfies Record<DocumentQuota, unknown>;

const NOTHING: Usage = { versions: 0, bytes: 0 };

/**
 * The refusal of a record, a new version or a changed one, that exceeds the byte budget. Without `usage`, before the lock, only the
 * size of the record itself is checked.
 */
export function budgetRefusal(
  kind: ParentKind,
  before: StoredRecord | undefined,
  after: StoredRecord,
  usage: DocumentUsage | undefined,
): Problem | undefined {
  const [bytesBefore, bytesAfter] = [before === undefined ? 0 : jsonBytes(before), jsonBytes(after)];
  const known = usage ?? { versionsOfParent: 0, ofQuota: NOTHING, ofBroker: NOTHING };
  const added = { versions: before === undefined ? 1 : 0, bytes: bytesAfter - bytesBefore };
  return limitRefusal(
    LIMITS[ROOM_OF_PARENT[kind]],
    usage === undefined ? ['limit.document-bytes'] : ['limit.document-bytes', ...NUMBERS, ...SIZES],
    {
      before: { recordBytes: bytesBefore, ...known },
      after: { recordBytes: bytesAfter, ...withAdded(known, added) },
      subject: { id: after.id, broker: undefined },
      bytesBound: Number.POSITIVE_INFINITY,
    },
  );
}

/** The refusal of one more version of any size: given before the bytes of a file are read. */
export function placeRefusal(kind: ParentKind, usage: DocumentUsage): Problem | undefined {
  return limitRefusal(LIMITS[ROOM_OF_PARENT[kind]], NUMBERS, {
    before: { recordBytes: 0, ...usage },
    after: { recordBytes: 0, ...withAdded(usage, { versions: 1, bytes: 0 }) },
    subject: { id: '', broker: undefined },
    bytesBound: Number.POSITIVE_INFINITY,
  });
}

/** The usage after one more version of the same parent and broker. */
export function withVersion(usage: DocumentUsage, record: StoredRecord): DocumentUsage {
  return withAdded(usage, { versions: 1, bytes: jsonBytes(record) });
}

function withAdded({ versionsOfParent, ofQuota, ofBroker }: DocumentUsage, added: Usage): DocumentUsage {
  const plus = (usage: Usage): Usage => ({
    versions: usage.versions + added.versions,
    bytes: usage.bytes + added.bytes,
  });
  return { versionsOfParent: versionsOfParent + added.versions, ofQuota: plus(ofQuota), ofBroker: plus(ofBroker) };
}
