import { isJsonObject, type JsonObject } from '@procurement/contracts/reading/json-object';
import { idText, asObject, asObjects } from '../src/values.ts';

// The checks of the quality assessment of OCDS (ocds.md 7.3): Q1 to Q7, how the parts of one release fit together.

/** Places where organizations are referred to, and the roles that they give. */
const REFERENCES: readonly (readonly [role: string, references: (release: JsonObject) => readonly JsonObject[]])[] = [
  ['buyer', ({ buyer }) => [asObject(buyer)]],
  ['procuringEntity', ({ tender }) => [asObject(asObject(tender)['procuringEntity'])]],
  ['tenderer', ({ tender }) => asObjects(asObject(tender)['tenderers'])],
  ['tenderer', ({ bids }) => asObjects(asObject(bids)['details']).flatMap(({ tenderers }) => asObjects(tenderers))],
  ['supplier', ({ awards }) => asObjects(awards).flatMap(({ suppliers }) => asObjects(suppliers))],
  ['payer', ({ contracts }) => transactionsOf(contracts).map(({ payer }) => asObject(payer))],
  ['payee', ({ contracts }) => transactionsOf(contracts).map(({ payee }) => asObject(payee))],
  ['enquirer', ({ tender }) => asObjects(asObject(tender)['enquiries']).map(({ author }) => asObject(author))],
];

function transactionsOf(contracts: unknown): readonly JsonObject[] {
  return asObjects(contracts).flatMap(({ implementation }) => asObjects(asObject(implementation)['transactions']));
}

/** Q1: references and parties mirror each other. */
export function referenceFindings(release: JsonObject): readonly string[] {
  const parties = new Map(asObjects(release['parties']).map((party) => [idText(party['id']), party]));
  const used = new Set<string>();
  const broken = REFERENCES.flatMap(([role, referencesOf]) =>
    referencesOf(release).flatMap((reference) => {
      const [id, name] = [idText(reference['id']), reference['name']];
      if (id === undefined) return [];
      used.add(`${role} ${id}`);
      const party = parties.get(id);
      if (party === undefined) return [`Q1 ${id} is not a party`];
      if (party['name'] !== name) return [`Q1 ${id} has two names`];
      return rolesOf(party).includes(role) ? [] : [`Q1 ${id} lacks the role ${role}`];
    }),
  );
  const unused = [...parties.values()].flatMap((party) =>
    rolesOf(party).filter((role) => !used.has(`${String(role)} ${String(party['id'])}`)),
  );
  return [...broken, ...unused.map((role) => `Q1 nothing refers to a party as ${String(role)}`)];
}

/** Q6: the number of tenderers. */
export function countFindings({ tender }: JsonObject): readonly string[] {
  const { numberOfTenderers, tenderers } = asObject(tender);
  return (numberOfTenderers ?? 0) === asObjects(tenderers).length ? [] : ['Q6 numberOfTenderers'];
}

/** Q2 to Q5 and Q7: depend on what users type, so they hold for the examples only. */
export function userFindings(release: JsonObject): readonly string[] {
  return [...contractFindings(release), ...periodFindings(release, ''), ...orderFindings(release)];
}

function contractFindings({ awards, contracts }: JsonObject): readonly string[] {
  const awardsById = new Map(asObjects(awards).map((award) => [award['id'], award]));
  return asObjects(contracts).flatMap(({ id, awardID, status, value, dateSigned }) => {
    const award = awardsById.get(awardID) ?? {};
    const fits = award['status'] === 'active' || status === 'cancelled';
    const [signed, awarded] = [Number(asObject(value)['amount']), Number(asObject(award['value'])['amount'])];
    return [
      ...(fits ? [] : [`Q2 award of contract ${String(id)}`]),
      ...(dateSigned === undefined || !isAfter(award['date'], dateSigned)
        ? []
        : [`Q4 ${String(id)} signed before the award`]),
      ...(signed < awarded / 2 || signed > awarded * 1.5 ? [`Q7 value of contract ${String(id)}`] : []),
    ];
  });
}

function periodFindings(value: unknown, path: string): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { startDate, endDate } = asObject(value);
  const inner = Object.entries(value).flatMap(([name, member]) => periodFindings(member, `${path}/${name}`));
  return isAfter(startDate, endDate) ? [...inner, `Q3 ${path}`] : inner;
}

/** Q4, Q5: no past date is after the release, and awards follow the bidding. */
function orderFindings(release: JsonObject): readonly string[] {
  const { date, awards, tender, contracts } = release;
  const end = asObject(asObject(tender)['tenderPeriod'])['endDate'];
  return [
    ...asObjects(awards)
      .filter((award) => isAfter(end, award['date']))
      .map(({ id }) => `Q4 award ${String(id)}`),
    ...[awards, tender, contracts].flatMap((part) => pastFindings(part, date)),
  ];
}

const PAST = ['date', 'dateSigned', 'datePublished', 'dateModified', 'dateAnswered'] as const;

function pastFindings(value: unknown, date: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((entry) => pastFindings(entry, date));
  if (!isJsonObject(value)) return [];
  return [
    ...PAST.filter((name) => isAfter(value[name], date)).map((name) => `Q4 ${name} after the release`),
    ...(isAfter(value['datePublished'], value['dateModified']) ? ['Q5 datePublished after dateModified'] : []),
    ...Object.values(value).flatMap((member) => pastFindings(member, date)),
  ];
}

function isAfter(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' && Date.parse(a) > Date.parse(b);
}

function rolesOf(party: JsonObject): readonly unknown[] {
  return Array.isArray(party['roles']) ? party['roles'] : [];
}
