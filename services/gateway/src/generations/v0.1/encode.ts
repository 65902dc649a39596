import { bidStatusEncoder } from '../bid-status.ts';
import type { Generation01 } from '../codec.ts';
import {
  elementStarts,
  findMember,
  OBJECT_START,
  parseMember,
  makeMemberSearch,
  valueEnd,
  type MemberRange,
} from '../../json/json-scanner.ts';
import {
  dropMember,
  rewriteEach,
  rewriteObject,
  pickMembers,
  writeMember,
  renameMember,
  rewriteMember,
  memberPrefix,
  type ValueRewriter,
  type MemberRewriter,
} from '../../json/json-rewriter.ts';
import { partyEncoder } from '../party.ts';
import { latestEndDate } from './delivery-date.ts';
import { typeMappingOf, type TypeName } from './member-table.ts';
import { encodeTenderId } from './tender-id.ts';

type MemberEncoders = Readonly<Record<string, MemberRewriter>>;

/** Whether a generation shows a type exactly as 2.5 does, so that its text is passed on. */
function isUnchanged(type: TypeName, generation01: Generation01): boolean {
  return typeMappingOf(type).members.every(
    ({ name, valueType, [generation01]: wire }) => wire === name && valueType === undefined,
  );
}

/** Encodes a canonical object for one generation of segment 0.1. Absent members stay absent. */
export function makeEncoder(type: TypeName, generation01: Generation01): ValueRewriter {
  switch (type) {
    case 'Tender':
      return tenderEncoder(generation01);
    case 'Party':
    case 'ProcuringEntity':
      return partyEncoder(makeEncoder('Address', generation01));
    case 'Item':
      return rewriteObject(memberEncoders(type, generation01, { unit: encodeUnit }), dropMember);
    case 'Bid':
      return rewriteObject(
        memberEncoders(type, generation01, { status: renameMember('status', bidStatusEncoder('without-drafts')) }),
        dropMember,
      );
    case 'Auction':
      return auctionEncoder(generation01);
    case 'AuctionBid':
      return generation01 === 'earliest'
        ? encodeFlatBid
        : rewriteObject(memberEncoders(type, generation01), dropMember);
    default:
      return rewriteObject(memberEncoders(type, generation01), dropMember);
  }
}

/** Encodes a tender. `isRequested` limits a row of the feed to the wire names that the client requested. */
export function tenderEncoder(
  generation01: Generation01,
  isRequested: (wire: string) => boolean = () => true,
): ValueRewriter {
  const endOnly =
    generation01 === 'middle' ? {} : { tenderPeriod: renameMember('tenderPeriod', pickMembers('endDate')) };
  const members = memberEncoders(
    'Tender',
    generation01,
    { tenderID: tenderIdEncoder(generation01), ...endOnly },
    isRequested,
  );
  if (generation01 === 'earliest' || !isRequested('deliveryDate')) return rewriteObject(members, dropMember);
  const { items = dropMember } = members;
  const withDeliveryDate: MemberRewriter = (out, position) => {
    encodeDeliveryDate(out, position);
    return items(out, position);
  };
  return rewriteObject({ ...members, items: withDeliveryDate }, dropMember);
}

/** Encoders of the shown members of a type by the table; `overrides` are those that do more than rename. */
function memberEncoders(
  type: TypeName,
  generation01: Generation01,
  overrides: MemberEncoders = {},
  isRequested: (wire: string) => boolean = () => true,
): MemberEncoders {
  const encoders: Record<string, MemberRewriter> = {};
  for (const { name, valueType, [generation01]: wire } of typeMappingOf(type).members) {
    if (wire === undefined || !isRequested(wire)) continue;
    const encoder =
      valueType === undefined || isUnchanged(valueType, generation01)
        ? undefined
        : rewriteEach(makeEncoder(valueType, generation01));
    encoders[name] = overrides[name] ?? (wire === name ? rewriteMember(encoder) : renameMember(wire, encoder));
  }
  return encoders;
}

const [TENDER_ID, DELIVERY] = [memberPrefix('tenderID'), memberPrefix('deliveryDate')];

function tenderIdEncoder(generation01: Generation01): MemberRewriter {
  return (out, { value, object: tender }) => {
    const { text } = out;
    const end = valueEnd(text, value);
    const ids = { id: parseMember(text, findMember(text, tender, 'id')), tenderID: parseMember(text, { value, end }) };
    out.writeName(TENDER_ID);
    out.write(JSON.stringify(encodeTenderId(generation01, ids)));
    return end;
  };
}

const findEndDate = makeMemberSearch({ deliveryDate: { endDate: 0 } });

/**
 * Writes the latest delivery date of the items as `deliveryDate` of the tender (middle; generations.md 4, delivery).
 */
const encodeDeliveryDate: MemberRewriter = (out, { value }) => {
  const { text } = out;
  const found: MemberRange[] = [];
  const dates: unknown[] = [];
  for (const item of elementStarts(text, value)) {
    findEndDate(text, item, found);
    dates.push(parseMember(text, found.pop()));
  }
  const endDate = latestEndDate(dates);
  if (endDate !== undefined) {
    out.writeName(DELIVERY);
    out.write(JSON.stringify({ endDate }));
  }
  return valueEnd(text, value);
};

const findUnitParts = makeMemberSearch({ name: 0, code: 1, value: 2 });
const [UNIT, PRICE] = [memberPrefix('unitOfMeasure'), memberPrefix('valuePerUnit')];
const encodeUnitText = renameMember('unitOfMeasure');

/** Writes a unit as a text, its name or else its code, and the price of one beside it (generations.md 4, unit). */
const encodeUnit: MemberRewriter = (out, position) => {
  const { text } = out;
  if (text.charCodeAt(position.value) !== OBJECT_START) return encodeUnitText(out, position);
  const found: (MemberRange | undefined)[] = [];
  const end = findUnitParts(text, position.value, found);
  const [name, code, price] = found;
  writeMember(out, name === undefined || text.startsWith('null', name.value) ? code : name, UNIT);
  writeMember(out, price, PRICE);
  return end;
};

/**
 * Encodes the auction record (generations.md 3.9). The earliest generation shows the start of the auction as `period`.
 */
function auctionEncoder(generation01: Generation01): ValueRewriter {
  const members = memberEncoders('Auction', generation01);
  const start = makeEncoder('AuctionStart', generation01);
  if (generation01 === 'middle')
    return rewriteObject({ ...members, tenderPeriod: startAs('tenderPeriod', start) }, dropMember);
  const encodePeriod = startAs('period', start);
  const encodePeriodWithoutAuction: MemberRewriter = (out, position) => {
    const auctionPeriod = findMember(out.text, position.object, 'auctionPeriod');
    return auctionPeriod !== undefined && hasStart(out.text, auctionPeriod.value)
      ? dropMember(out, position)
      : encodePeriod(out, position);
  };
  return rewriteObject(
    { ...members, auctionPeriod: encodePeriod, tenderPeriod: encodePeriodWithoutAuction },
    dropMember,
  );
}

/** Writes a period under a name; leaves out a period without a start. */
function startAs(name: string, encodeStart: ValueRewriter): MemberRewriter {
  const rename = renameMember(name, encodeStart);
  return (out, position) => (hasStart(out.text, position.value) ? rename : dropMember)(out, position);
}

function hasStart(text: string, period: number): boolean {
  return findMember(text, period, 'startDate') !== undefined;
}

const encodeFlatValue = pickMembers('amount', 'currency');

/** Encodes an auction bid of the earliest generation: the members of its value (generations.md 4, flat). */
const encodeFlatBid: ValueRewriter = (out, at) => {
  const value = findMember(out.text, at, 'value');
  if (value === undefined) out.write('{}');
  else encodeFlatValue(out, value.value);
  return valueEnd(out.text, at);
};
