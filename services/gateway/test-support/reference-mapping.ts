import { wireName } from '../src/generations/member-table-for-2.3-and-0.ts';
import { encodeTenderId } from '../src/generations/v0.1/tender-id.ts';
import { typeMappingOf, type TypeName } from '../src/generations/v0.1/member-table.ts';
import type { Generation01 } from '../src/generations/codec.ts';
import type { Json } from './generations.ts';

// The mapping of generations.md 3 on parsed objects: the oracle of the property tests for the codecs, which rewrite
// text.

/** `get` of a tender, as an object. */
export function referenceTender(generation: string, tender: Json): Json {
  if (generation === '2.3' || generation === '0') return tender23Or0(generation, tender);
  return tender01(generation === '0.1-middle' ? 'middle' : 'earliest', tender);
}

function tender23Or0(generation: '2.3' | '0', tender: Json): Json {
  const encoded: Json = {};
  for (const [name, value] of Object.entries<Json>(tender)) {
    if (wireName('Tender', generation, name) === undefined) continue;
    if (name === 'bids') encoded.bids = value.map((bid: Json) => bid23Or0(generation, bid));
    else if (name === 'contracts') encoded.contracts = value.map(contract23);
    else encoded[name] = name === 'awards' ? value.map(award23) : value;
  }
  return withoutDigests(encoded);
}

/** Documents at any depth; no other object that these segments show has a digest of this name. */
function withoutDigests(value: Json): Json {
  return JSON.parse(JSON.stringify(value), function (name, member) {
    return name === 'sha256' ? undefined : member;
  });
}

function bid23Or0(generation: string, bid: Json): Json {
  const { tenderers, status, ...named } = bid;
  const rest = Object.fromEntries(Object.entries(named).filter(([name]) => wireName('Bid', '2.3', name) !== undefined));
  return {
    ...rest,
    ...(status === undefined ? {} : { status: bidStatus(status, generation === '2.3') }),
    ...(tenderers === undefined ? {} : { tenderers: tenderers.map(party) }),
  };
}

function contract23({ suppliers, value, dateCreated: _created, implementation: _followed, ...contract }: Json): Json {
  const shown = suppliers?.map(({ scale: _hidden, ...supplier }: Json) => supplier);
  const { amountNet: _net, ...gross } = value ?? {};
  return withoutUndefined({ ...contract, suppliers: shown, value: value && gross });
}

function award23(award: Json): Json {
  const named = Object.entries(award).map(([name, value]) => [wireName('Award', '2.3', name), value]);
  const { suppliers, ...rest } = Object.fromEntries(named);
  return suppliers === undefined ? rest : { ...rest, suppliers: suppliers.map(party) };
}

function bidStatus(status: string, drafts: boolean): string {
  if (['invalid', 'invalid.pre-qualification', 'unsuccessful', 'cancelled'].includes(status)) return 'invalidBid';
  return status === 'draft' && drafts ? 'draft' : 'registration';
}

function party({ name, identifier = {}, address }: Json): Json {
  const id = withoutUndefined({ name, scheme: identifier.scheme, uid: identifier.id, uri: identifier.uri });
  return withoutUndefined({ id: Object.keys(id).length > 0 ? id : undefined, address });
}

function tender01(generation01: Generation01, tender: Json): Json {
  const encoded = object01('Tender', generation01, tender);
  if (encoded.tenderID !== undefined) encoded.tenderID = encodeTenderId(generation01, tender);
  if (generation01 === 'earliest' && encoded.tenderPeriod !== undefined) {
    encoded.tenderPeriod = withoutUndefined({ endDate: encoded.tenderPeriod.endDate });
  }
  const ends = (tender.items ?? []).flatMap((item: Json) => item.deliveryDate?.endDate ?? []);
  const [latest] = ends.toSorted((a: string, b: string) => Date.parse(b) - Date.parse(a));
  return generation01 === 'middle'
    ? withoutUndefined({ ...encoded, deliveryDate: latest && { endDate: latest } })
    : encoded;
}

function object01(type: TypeName, generation01: Generation01, value: Json): Json {
  if (type === 'Party' || type === 'ProcuringEntity') {
    const { address } = value;
    return party({ ...value, address: address && object01('Address', generation01, address) });
  }
  const encoded: Json = {};
  for (const { name, valueType, [generation01]: wire } of typeMappingOf(type).members) {
    const inner = value[name];
    if (wire === undefined || inner === undefined) continue;
    if (valueType === 'Unit')
      Object.assign(encoded, withoutUndefined({ unitOfMeasure: inner.name ?? inner.code, valuePerUnit: inner.value }));
    else if (valueType === undefined)
      encoded[wire] = type === 'Bid' && name === 'status' ? bidStatus(inner, false) : inner;
    else
      encoded[wire] = Array.isArray(inner)
        ? inner.map((one) => object01(valueType, generation01, one))
        : object01(valueType, generation01, inner);
  }
  return encoded;
}

function withoutUndefined(members: Json): Json {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
