/** A buyer or a supplier, by the identifier that addresses have. */
export interface Party {
  /** `UA-EDR-00037256`, as the API takes it. */
  readonly key: string;
  readonly scheme: string;
  readonly id: string;
  /** Ten digits are the number of a taxpayer who is a person. */
  readonly isPerson: boolean;
}

const KEY = /^([A-Z]{2}-[A-Z\d]{1,20})-([^\s,]{1,64})$/;
const PERSON = /^\d{10}$/;

/** Reads the identifier of an address. Undefined: it is none. */
export function readParty(key: string): Party | undefined {
  const [, scheme, id] = KEY.exec(key) ?? [];
  return scheme === undefined || id === undefined ? undefined : { key, scheme, id, isPerson: PERSON.test(id) };
}

/** An organization of a tender, as far as pages of parties need it. */
export interface Organization {
  readonly name?: string;
  readonly identifier?: { readonly scheme?: string; readonly id?: string };
  readonly address?: { readonly locality?: string; readonly region?: string };
}

/** The organization with the identifier of a party; names are not compared. */
export function findOrganization(
  { scheme, id }: Party,
  organizations: readonly Organization[],
): Organization | undefined {
  return organizations.find(({ identifier }) => identifier?.scheme === scheme && identifier.id === id);
}
