import { isObject, type EarlyGeneration, type JsonObject } from './codec.ts';
import { mergedErrors, REQUIRED_TEXT, texts } from './error-names.ts';
import { memberOf, type Member, type TypeName } from './v0.1.tables.ts';

/** What is needed to tell a refusal in the words of one generation of segment 0.1. */
export interface EarlyTelling {
  readonly type: TypeName;
  readonly early: EarlyGeneration;
  readonly sent?: JsonObject | undefined;
}

/** Whom to blame for a fault in a member of a tender that is not shown; the rest is the document's own (generations.md 7). */
const BLAMED: Readonly<Record<string, string>> = {
  minimalStep: 'totalValue',
  features: 'itemsToBeProcured',
  title: 'itemsToBeProcured',
  lots: 'itemsToBeProcured',
};

/** The `errors` of a refusal under the names that the generation knows. Only those about the body can differ. */
export function earlyErrors(errors: unknown, telling: EarlyTelling): unknown {
  if (!Array.isArray(errors)) return errors;
  return mergedErrors(errors.map((error: unknown) => told(error, telling)));
}

function told(error: unknown, { type, early, sent = {} }: EarlyTelling): unknown {
  if (!isObject(error) || error['location'] !== 'body' || typeof error['name'] !== 'string') return error;
  const { name, description } = error;
  const member = memberOf(type, name);
  if (member === undefined) return error;
  if (type === 'Tender' && name === 'items' && isAboutDelivery(description)) {
    return {
      ...error,
      name: early === 'middle' ? 'deliveryDate' : 'itemsToBeProcured',
      description: texts(description),
    };
  }
  const wire = member[early];
  if (
    type === 'Tender' &&
    name === 'tenderPeriod' &&
    early === 'earliest' &&
    isAboutStart(description, sentAt(sent, member))
  ) {
    return { ...error, description: texts(description) };
  }
  if (wire !== undefined) {
    return { ...error, name: wire, description: toldInside(member, description, early, sentAt(sent, member)) };
  }
  if (Object.hasOwn(sent, name) || texts(description).every((text) => text === REQUIRED_TEXT)) return error;
  return { ...error, name: (type === 'Tender' ? BLAMED[name] : undefined) ?? 'data', description: texts(description) };
}

/** What the request carried at a member, under whichever of its names. */
function sentAt(sent: unknown, member: Member): unknown {
  if (Array.isArray(sent)) return sent.map((one: unknown) => sentAt(one, member)).find((one) => one !== undefined);
  if (!isObject(sent)) return undefined;
  const name = [member.name, member.middle, member.earliest].find(
    (one) => one !== undefined && Object.hasOwn(sent, one),
  );
  return name === undefined ? undefined : sent[name];
}

/** Every fault concerns dates of delivery, which the client knows as one date of the tender, or not at all. */
function isAboutDelivery(description: unknown): boolean {
  if (Array.isArray(description)) return description.length > 0 && description.every(isAboutDelivery);
  return isObject(description) && Object.keys(description).join() === 'deliveryDate';
}

/** The earliest generation shows when tendering ends, and a start that it did not send follows what it changes. */
function isAboutStart(description: unknown, sent: unknown): boolean {
  const wasSent = isObject(sent) && Object.hasOwn(sent, 'startDate');
  return isObject(description) && Object.hasOwn(description, 'startDate') && !wasSent;
}

/** A description inside a member, by its type. Lists and objects keep their form; a unit is shown as one text. */
function toldInside(member: Member, description: unknown, early: EarlyGeneration, sent: unknown): unknown {
  const { of } = member;
  if (of === undefined) return description;
  if (Array.isArray(description)) return description.flatMap((one: unknown) => toldInside(member, one, early, sent));
  if (!isObject(description)) return description;
  if (of === 'AuctionBid' && early === 'earliest') return texts(description);
  return toldMembers(of, description, early, sent);
}

function toldMembers(of: TypeName, faults: JsonObject, early: EarlyGeneration, sent: unknown): unknown {
  const shown: Record<string, unknown> = {};
  const about: string[] = [];
  for (const [name, fault] of Object.entries(faults)) {
    const member = memberOf(of, name);
    const wire = member?.[early];
    const inside = member === undefined ? undefined : sentAt(sent, member);
    if (member === undefined) shown[name] = fault;
    else if (member.of === 'Unit') Object.assign(shown, toldUnit(fault));
    else if ((of === 'Party' || of === 'ProcuringEntity') && wire === 'id') {
      const inner = name === 'name' ? { name: fault } : toldInside(member, fault, early, sentAt(sent, member));
      shown['id'] = joined(shown['id'], inner);
    } else if (wire !== undefined) shown[wire] = toldInside(member, fault, early, inside);
    else if (inside !== undefined || texts(fault).every((text) => text === REQUIRED_TEXT)) shown[name] = fault;
    else about.push(...texts(fault));
  }
  if (about.length === 0) return shown;
  // What is not shown is a matter of the object; with a tree beside it, both are told as texts.
  return [...texts(shown), ...about];
}

function toldUnit(fault: unknown): JsonObject {
  if (!isObject(fault)) return { unitOfMeasure: fault };
  const { value, ...unit } = fault;
  return {
    ...(Object.keys(unit).length > 0 ? { unitOfMeasure: texts(unit) } : {}),
    ...(value === undefined ? {} : { valuePerUnit: value }),
  };
}

function joined(a: unknown, b: unknown): unknown {
  if (a === undefined) return b;
  return isObject(a) && isObject(b) ? { ...a, ...b } : [...texts(a), ...texts(b)];
}
