import { HIDDEN_ON_0 } from '../src/generations/v0.tender.ts';
import { shownTenderId } from '../src/generations/v0.1.tender-id.ts';
import { typeOf, type TypeName } from '../src/generations/v0.1.tables.ts';
import { AWARD_NAMES } from '../src/generations/v2.3.awards.ts';
import type { Json } from './generations.ts';

// The tables of generations.md 3 once more, on objects and as plainly as they read there: what codecs make of texts is held
// against it.

type Early = 'middle' | 'earliest';

/** `get` of a tender. */
export function plainTender(generation: string, tender: Json): Json {
  if (generation === '2.3' || generation === '0') return currentTender(generation, tender);
  return earlyTender(generation === '0.1-middle' ? 'middle' : 'earliest', tender);
}

function currentTender(generation: string, tender: Json): Json {
  const shown: Json = {};
  for (const [name, value] of Object.entries<Json>(tender)) {
    if (generation === '0' && HIDDEN_ON_0.has(name)) continue;
    if (name === 'bids') shown.bids = value.map((bid: Json) => currentBid(generation, bid));
    else shown[name] = name === 'awards' ? value.map(currentAward) : value;
  }
  return shown;
}

function currentBid(generation: string, bid: Json): Json {
  const { tenderers, status, ...rest } = bid;
  return {
    ...rest,
    ...(status === undefined ? {} : { status: bidStatus(status, generation === '2.3') }),
    ...(tenderers === undefined ? {} : { tenderers: tenderers.map(party) }),
  };
}

function currentAward(award: Json): Json {
  const named = Object.entries(award).map(([name, value]) => [AWARD_NAMES[name] ?? name, value]);
  const { suppliers, ...rest } = Object.fromEntries(named);
  return suppliers === undefined ? rest : { ...rest, suppliers: suppliers.map(party) };
}

function bidStatus(status: string, drafts: boolean): string {
  if (['invalid', 'invalid.pre-qualification', 'unsuccessful', 'cancelled'].includes(status)) return 'invalidBid';
  return status === 'draft' && drafts ? 'draft' : 'registration';
}

function party({ name, identifier = {}, address }: Json): Json {
  const id = present({ name, scheme: identifier.scheme, uid: identifier.id, uri: identifier.uri });
  return present({ id: Object.keys(id).length > 0 ? id : undefined, address });
}

function earlyTender(early: Early, tender: Json): Json {
  const shown = earlyObject('Tender', early, tender);
  if (shown.tenderID !== undefined) shown.tenderID = shownTenderId(early, tender);
  if (early === 'earliest' && shown.tenderPeriod !== undefined) {
    shown.tenderPeriod = present({ endDate: shown.tenderPeriod.endDate });
  }
  const ends = (tender.items ?? []).flatMap((item: Json) => item.deliveryDate?.endDate ?? []);
  const [latest] = ends.toSorted((a: string, b: string) => Date.parse(b) - Date.parse(a));
  return early === 'middle' ? present({ ...shown, deliveryDate: latest && { endDate: latest } }) : shown;
}

function earlyObject(type: TypeName, early: Early, value: Json): Json {
  if (type === 'Party' || type === 'ProcuringEntity') {
    const { address } = value;
    return party({ ...value, address: address && earlyObject('Address', early, address) });
  }
  const shown: Json = {};
  for (const { name, of, [early]: wire } of typeOf(type).members) {
    const inner = value[name];
    if (wire === undefined || inner === undefined) continue;
    if (of === 'Unit')
      Object.assign(shown, present({ unitOfMeasure: inner.name ?? inner.code, valuePerUnit: inner.value }));
    else if (of === undefined) shown[wire] = type === 'Bid' && name === 'status' ? bidStatus(inner, false) : inner;
    else
      shown[wire] = Array.isArray(inner)
        ? inner.map((one) => earlyObject(of, early, one))
        : earlyObject(of, early, inner);
  }
  return shown;
}

function present(members: Json): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
