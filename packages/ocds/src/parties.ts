import { createHash } from 'node:crypto';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import type { OcdsSettings } from './settings.ts';
import {
  address,
  compact,
  idText,
  multilingual,
  asObject,
  asObjects,
  text,
  uniqueByScheme,
  uniqueById,
  uri,
} from './values.ts';

/** Roles, in the order in which a party shows them (ocds.md 2.2). */
const ROLES = ['buyer', 'procuringEntity', 'tenderer', 'supplier', 'enquirer', 'payer', 'payee'] as const;
export type PartyRole = (typeof ROLES)[number];

/** Collects the organizations of one release: each becomes one party, and a reference stands at every other place. */
export interface Parties {
  /**
   * The reference to an organization, which has these roles from now on. The first occurrence of an organization supplies its
   * details. Undefined for an organization without name and identifier.
   */
  readonly refer: (organization: unknown, ...roles: readonly PartyRole[]) => JsonObject | undefined;
  readonly referAll: (organizations: unknown, role: PartyRole) => readonly JsonObject[];
  readonly list: () => readonly JsonObject[];
}

interface Party {
  readonly details: JsonObject;
  readonly roles: Set<PartyRole>;
}

export function collectParties(contactPoints: OcdsSettings['contactPoints']): Parties {
  const parties = new Map<string, Party>();

  function refer(organization: unknown, ...roles: readonly PartyRole[]): JsonObject | undefined {
    const source = asObject(organization);
    const id = partyId(source);
    if (id === undefined) return undefined;
    const withContact =
      contactPoints === 'all' || (contactPoints === 'procuringEntity' && roles.includes('procuringEntity'));
    const party = parties.get(id) ?? { details: partyDetails(id, source, withContact), roles: new Set() };
    parties.set(id, party);
    for (const role of roles) party.roles.add(role);
    // The party's name, not the local one: review tools compare them.
    return compact({ id, name: party.details['name'] });
  }

  return {
    refer,
    referAll: (organizations, role) =>
      uniqueById(
        asObjects(organizations)
          .map((organization) => refer(organization, role))
          .filter((reference) => reference !== undefined),
      ),
    list: () =>
      [...parties.values()].map(({ details, roles }) => ({
        ...details,
        roles: ROLES.filter((role) => roles.has(role)),
      })),
  };
}

function partyId(organization: JsonObject): string | undefined {
  const { scheme, id } = asObject(organization['identifier']);
  const [register, number, name] = [text(scheme), idText(id)?.trim(), text(organization['name'])];
  if (register !== undefined && number !== undefined) return `${register}-${number}`;
  return name === undefined ? undefined : `local-${createHash('sha1').update(name).digest('hex').slice(0, 12)}`;
}

function partyDetails(id: string, organization: JsonObject, withContact: boolean): JsonObject {
  return compact({
    id,
    ...multilingual(organization, 'name'),
    identifier: identifier(asObject(organization['identifier'])),
    additionalIdentifiers: uniqueByScheme(asObjects(organization['additionalIdentifiers']).map(identifier)),
    address: address(organization['address']),
    contactPoint: withContact ? contactPoint(asObject(organization['contactPoint'])) : undefined,
  });
}

function identifier(source: JsonObject): JsonObject {
  return compact({
    scheme: text(source['scheme']),
    id: idText(source['id']),
    ...multilingual(source, 'legalName'),
    uri: uri(source['uri']),
  });
}

function contactPoint(source: JsonObject): JsonObject {
  return compact({
    ...multilingual(source, 'name'),
    email: text(source['email']),
    telephone: text(source['telephone']),
    faxNumber: text(source['faxNumber']),
    url: uri(source['url']),
  });
}
