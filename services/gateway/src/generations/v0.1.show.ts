import { toJsonText } from '@procurement/contracts/json-text';
import { shownBidStatus } from './bid-status.ts';
import { isObject, type EarlyGeneration, type JsonObject } from './codec.ts';
import { objectText, type TextMember } from './data-text.ts';
import { shownParty } from './party.ts';
import { shownDelivery } from './v0.1.delivery.ts';
import { memberOf, typeOf, type Member, type TypeName } from './v0.1.tables.ts';
import { shownTenderId } from './v0.1.tender-id.ts';
import { unitText } from './v0.1.unit.ts';
import { pick } from './v2.3.auction.ts';

/** Types of which both generations show everything that there is: their text is passed on. */
const WHOLE: ReadonlySet<TypeName> = new Set(['Value', 'Period', 'StartedPeriod']);

/** A canonical object as one generation of segment 0.1 shows it. What is absent stays absent. */
export function shownEarly(type: TypeName, value: unknown, early: EarlyGeneration): unknown {
  if (!isObject(value)) return value;
  if (type === 'Party' || type === 'ProcuringEntity') return shownOrganization(value, early);
  if (type === 'AuctionBid' && early === 'earliest') return pick(asObject(value['value']), ['amount', 'currency']);
  const shown: Record<string, unknown> = {};
  for (const member of typeOf(type).members) {
    const wire = member[early];
    const inner = value[member.name];
    if (wire === undefined || inner === undefined) continue;
    if (member.of === 'Unit') Object.assign(shown, shownUnit(inner));
    else if (member.name === 'status' && type === 'Bid') shown[wire] = shownBidStatus(inner, 'without-drafts');
    else shown[wire] = shownMember(member, inner, early);
  }
  return shown;
}

function shownMember({ of }: Member, value: unknown, early: EarlyGeneration): unknown {
  if (of === undefined || WHOLE.has(of)) return value;
  return Array.isArray(value) ? value.map((one: unknown) => shownEarly(of, one, early)) : shownEarly(of, value, early);
}

function shownOrganization(organization: JsonObject, early: EarlyGeneration): unknown {
  const shown = shownParty(organization);
  if (!isObject(shown) || !Object.hasOwn(shown, 'address')) return shown;
  return { ...shown, address: shownEarly('Address', shown['address'], early) };
}

function shownUnit(unit: unknown): JsonObject {
  const [text, price] = [unitText(unit), isObject(unit) ? unit['value'] : undefined];
  return {
    ...(text === undefined ? {} : { unitOfMeasure: text }),
    ...(price === undefined ? {} : { valuePerUnit: price }),
  };
}

function asObject(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

/**
 * The text of a tender as one generation shows it, made of the texts of its members: what has only another name is not read.
 * `asked` cuts a row of the feed to the wire names that its client asked for.
 */
export function shownTenderText(
  members: readonly TextMember[],
  early: EarlyGeneration,
  asked?: ReadonlySet<string>,
): string {
  const shown: TextMember[] = [];
  const put = (name: string, value: string): void => {
    if (asked === undefined || asked.has(name)) shown.push({ name, value });
  };
  for (const { name, value } of members) {
    const member = memberOf('Tender', name);
    const wire = member?.[early];
    if (member === undefined) continue;
    if (name === 'items' && early === 'middle') {
      const items: unknown = JSON.parse(value);
      const delivery = shownDelivery(items);
      if (delivery !== undefined) put('deliveryDate', JSON.stringify(delivery));
      put('itemsToBeProcured', toJsonText(shownMember(member, items, early)));
    } else if (wire !== undefined) put(wire, memberText(member, value, members, early));
  }
  return objectText(shown);
}

function memberText(member: Member, value: string, members: readonly TextMember[], early: EarlyGeneration): string {
  if (member.name === 'tenderID') {
    const id = members.find(({ name }) => name === 'id')?.value;
    return JSON.stringify(
      shownTenderId(early, { id: id === undefined ? id : JSON.parse(id), tenderID: JSON.parse(value) }),
    );
  }
  if (member.name === 'tenderPeriod' && early === 'earliest') {
    return JSON.stringify(pick(asObject(JSON.parse(value)), ['endDate']));
  }
  if (member.of === undefined || WHOLE.has(member.of)) return value;
  return toJsonText(shownMember(member, JSON.parse(value), early));
}

/** The auction record (generations.md 3.9). Earliest calls the start of the auction `period`. */
export function shownAuction(record: unknown, early: EarlyGeneration): unknown {
  if (!isObject(record)) return record;
  const { minimalStep, tenderPeriod, auctionPeriod, ...rest } = record;
  const shown = shownEarly('Auction', rest, early);
  const start = asObject(tenderPeriod)['startDate'];
  const begins = early === 'middle' ? start : (asObject(auctionPeriod)['startDate'] ?? start);
  return {
    ...asObject(shown),
    ...(minimalStep === undefined ? {} : { minimalStep: pick(asObject(minimalStep), ['amount', 'currency']) }),
    ...(begins === undefined ? {} : { [early === 'middle' ? 'tenderPeriod' : 'period']: { startDate: begins } }),
  };
}
