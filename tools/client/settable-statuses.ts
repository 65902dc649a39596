import { COMPLAINT_TRANSITIONS, type ComplaintRole } from '@procurement/domain/complaints';
import { AWARD_TRANSITIONS } from '../../services/awards/src/domain/award.transitions.ts';
import { TENDER_TRANSITIONS } from '../../services/tenders/src/domain/tender.transitions.ts';

const OWNERS: ReadonlySet<ComplaintRole> = new Set(['complaint_owner', 'tender_owner']);

/**
 * The statuses that an owner can give an object by PATCH on segment 2.5, for each type of a PATCH. Where the domain has a table they are
 * read from it; the others are compared with its decisions by a test.
 */
export const SETTABLE_STATUSES: Readonly<Record<string, ReadonlySet<string>>> = {
  TenderPatch: new Set(TENDER_TRANSITIONS.filter(({ on }) => on === 'activate').map(({ to }) => to)),
  LotPatch: new Set(),
  AwardPatch: new Set(AWARD_TRANSITIONS.filter(({ from, to }) => from !== to).map(({ to }) => to)),
  BidPatch: new Set(['active']),
  CancellationPatch: new Set(['active']),
  ComplaintPatch: new Set(
    COMPLAINT_TRANSITIONS.filter(({ from, to, by }) => from !== to && OWNERS.has(by)).map(({ to }) => to),
  ),
  ContractPatch: new Set(['active']),
  StandaloneContractPatch: new Set(['active', 'terminated']),
  ContractChangePatch: new Set(['active']),
};

interface ObjectSchema {
  readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
}

/** The schema without the statuses that an owner cannot set; without the member when there are none. */
export function withSettableStatuses(name: string, schema: unknown): unknown {
  const settable = SETTABLE_STATUSES[name];
  if (settable === undefined) return schema;
  // Each type of the table has a status.
  const { properties, ...rest } = schema as ObjectSchema;
  const { status, ...others } = properties;
  const values = (status?.enum ?? []).filter((value) => settable.has(value));
  const members = Object.entries(properties).map(([key, value]) =>
    key === 'status' ? [key, { ...status, enum: values }] : [key, value],
  );
  return { ...rest, properties: values.length === 0 ? others : Object.fromEntries(members) };
}
