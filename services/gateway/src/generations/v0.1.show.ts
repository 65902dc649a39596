import { bidStatusForm } from './bid-status.ts';
import type { EarlyGeneration } from './codec.ts';
import { elementsAt, memberOf, OBJECT, parsedOf, searchFor, valueEnd, type Member } from './data-text.ts';
import {
  dropped,
  each,
  object,
  picked,
  putMember,
  shownAs,
  shownIn,
  wire,
  type Form,
  type MemberForm,
} from './forms.ts';
import { partyForm } from './party.ts';
import { latestEnd } from './v0.1.delivery.ts';
import { typeOf, type TypeName } from './v0.1.tables.ts';
import { shownTenderId } from './v0.1.tender-id.ts';

type MemberForms = Readonly<Record<string, MemberForm>>;

/** Types of which both generations show everything that there is: their text is passed on. */
const WHOLE: ReadonlySet<TypeName> = new Set(['Value', 'Period', 'StartedPeriod']);

/** A canonical object as one generation of segment 0.1 shows it. What is absent stays absent. */
export function earlyForm(type: TypeName, early: EarlyGeneration): Form {
  switch (type) {
    case 'Tender':
      return earlyTenderForm(early);
    case 'Party':
    case 'ProcuringEntity':
      return partyForm(earlyForm('Address', early));
    case 'Item':
      return object(memberForms(type, early, { unit }), dropped);
    case 'Bid':
      return object(memberForms(type, early, { status: shownAs('status', bidStatusForm('without-drafts')) }), dropped);
    case 'Auction':
      return auctionForm(early);
    case 'AuctionBid':
      return early === 'earliest' ? flatBid : object(memberForms(type, early), dropped);
    default:
      return object(memberForms(type, early), dropped);
  }
}

/** A tender. `asked` cuts a row of the feed to the wire names that its client asked for. */
export function earlyTenderForm(early: EarlyGeneration, asked: (wire: string) => boolean = () => true): Form {
  const endOnly = early === 'middle' ? {} : { tenderPeriod: shownAs('tenderPeriod', picked('endDate')) };
  const members = memberForms('Tender', early, { tenderID: tenderNumber(early), ...endOnly }, asked);
  if (early === 'earliest' || !asked('deliveryDate')) return object(members, dropped);
  const { items = dropped } = members;
  const withDelivery: MemberForm = (out, place) => {
    delivery(out, place);
    return items(out, place);
  };
  return object({ ...members, items: withDelivery }, dropped);
}

/** The members of a type that a generation shows, in the forms of the table; `own` are those that are no renaming. */
function memberForms(
  type: TypeName,
  early: EarlyGeneration,
  own: MemberForms = {},
  asked: (wire: string) => boolean = () => true,
): MemberForms {
  const forms: Record<string, MemberForm> = {};
  for (const { name, of, [early]: wire } of typeOf(type).members) {
    if (wire === undefined || !asked(wire)) continue;
    const form = of === undefined || WHOLE.has(of) ? undefined : each(earlyForm(of, early));
    forms[name] = own[name] ?? (wire === name ? shownIn(form) : shownAs(wire, form));
  }
  return forms;
}

const [TENDER_ID, DELIVERY] = [wire('tenderID'), wire('deliveryDate')];

function tenderNumber(early: EarlyGeneration): MemberForm {
  return (out, { value, object: tender }) => {
    const { text } = out;
    const end = valueEnd(text, value);
    const numbers = { id: parsedOf(text, memberOf(text, tender, 'id')), tenderID: parsedOf(text, { value, end }) };
    out.putName(TENDER_ID);
    out.put(JSON.stringify(shownTenderId(early, numbers)));
    return end;
  };
}

const ends = searchFor({ deliveryDate: { endDate: 0 } });

/** The latest date of delivery of the items, which the middle generation shows as the tender's (generations.md 4). */
const delivery: MemberForm = (out, { value }) => {
  const { text } = out;
  const found: Member[] = [];
  const dates: unknown[] = [];
  for (const item of elementsAt(text, value)) {
    ends(text, item, found);
    dates.push(parsedOf(text, found.pop()));
  }
  const endDate = latestEnd(dates);
  if (endDate !== undefined) {
    out.putName(DELIVERY);
    out.put(JSON.stringify({ endDate }));
  }
  return valueEnd(text, value);
};

const unitParts = searchFor({ name: 0, code: 1, value: 2 });
const [UNIT, PRICE] = [wire('unitOfMeasure'), wire('valuePerUnit')];
const unitText = shownAs('unitOfMeasure');

/** A unit is shown as a text, its name or else its code, and the price of one beside it (generations.md 4). */
const unit: MemberForm = (out, place) => {
  const { text } = out;
  if (text.charCodeAt(place.value) !== OBJECT) return unitText(out, place);
  const found: (Member | undefined)[] = [];
  const end = unitParts(text, place.value, found);
  const [name, code, price] = found;
  putMember(out, name === undefined || text.startsWith('null', name.value) ? code : name, UNIT);
  putMember(out, price, PRICE);
  return end;
};

/** The auction record (generations.md 3.9). Earliest calls the start of the auction `period`. */
function auctionForm(early: EarlyGeneration): Form {
  const own = { minimalStep: shownAs('minimalStep', picked('amount', 'currency')) };
  const members = memberForms('Auction', early, own);
  if (early === 'middle') return object({ ...members, tenderPeriod: startAs('tenderPeriod') }, dropped);
  const planned = startAs('period');
  const unplanned: MemberForm = (out, place) => {
    const auction = memberOf(out.text, place.object, 'auctionPeriod');
    return auction !== undefined && hasStart(out.text, auction.value) ? dropped(out, place) : planned(out, place);
  };
  return object({ ...members, auctionPeriod: planned, tenderPeriod: unplanned }, dropped);
}

/** A period of which only the start is shown; nothing is while it has none. */
function startAs(name: string): MemberForm {
  const shown = shownAs(name, picked('startDate'));
  return (out, place) => (hasStart(out.text, place.value) ? shown : dropped)(out, place);
}

function hasStart(text: string, period: number): boolean {
  return memberOf(text, period, 'startDate') !== undefined;
}

const valueOnly = picked('amount', 'currency');

/** The earliest generation shows of a bid in an auction the members of its value. */
const flatBid: Form = (out, at) => {
  const value = memberOf(out.text, at, 'value');
  if (value === undefined) out.put('{}');
  else valueOnly(out, value.value);
  return valueEnd(out.text, at);
};
