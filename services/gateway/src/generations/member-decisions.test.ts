import type { Segment } from '@procurement/contracts/api/route';
import { routes } from '@procurement/contracts/api/routes';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { get, type Json } from '../../test-support/generations.ts';
import { UNCHANGED_TYPES } from './unchanged-types-on-2.3-and-0.ts';
import { hiddenMembers, membersOf, type ChangedType } from './member-table-for-2.3-and-0.ts';
import { isShown, typeMappingOf, type TypeName } from './v0.1/member-table.ts';

// Fails when a member of a canonical resource has no decision (shown, hidden, renamed) on one of the older segments.

type OlderSegment = Exclude<Segment, '2.5'>;

/** A JSON schema as zod writes it; of its keywords only these matter here. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** The decisions of a segment on the members of one type. */
interface Decisions {
  readonly decided: ReadonlySet<string>;
  readonly hidden: ReadonlySet<string>;
  readonly table: string;
}

/** Canonical schemas of everything that the routes of a segment answer; those with a name lie in `$defs`. */
function canonicalSchemas(segment: OlderSegment): { roots: Schema; named: Readonly<Record<string, Schema>> } {
  const responses = routes
    // A row of the feed holds members of a tender.
    .filter(({ name, segments }) => name !== 'listTenders' && segments.includes(segment))
    .flatMap(({ name, responses }) => Object.entries(responses).map(([status, shape]) => [`${name} ${status}`, shape]));
  const { $defs, ...roots } = z.toJSONSchema(z.object(Object.fromEntries(responses)), {
    io: 'output',
    unrepresentable: 'any',
  });
  return { roots: roots as Schema, named: $defs as Record<string, Schema> };
}

/** Types of the tables under which a canonical type occurs; without a row: the same name. */
const TYPES_ON_2_3_AND_0: Readonly<Record<string, readonly string[]>> = {
  // Bidders and suppliers have a form of their own, other organizations do not.
  BusinessOrganization: ['BusinessOrganization', 'Party'],
  Identifier: ['Identifier', 'PartyIdentifier'],
  DocumentWithHistory: ['Document'],
};
const TYPES_ON_0_1: Readonly<Record<string, readonly TypeName[]>> = {
  BusinessOrganization: ['Party'],
  CPVClassification: ['Classification'],
  // The auction record shows a part of values and periods.
  Value: ['Value', 'AuctionStep'],
  Period: ['Period', 'AuctionStart'],
  AuctionPeriod: ['AuctionStart'],
  PeriodEndRequired: ['StartedPeriod', 'AuctionStart'],
  DocumentWithHistory: ['Document'],
};

function collectDecisions(segment: OlderSegment, type: string): Decisions {
  if (segment === '0.1') {
    const members = typeMappingOf(type as TypeName)?.members ?? [];
    const hidden = members.filter((member) => !isShown(member));
    return { decided: namesOf(members), hidden: namesOf(hidden), table: 'v0.1/member-table.ts' };
  }
  const unchanged = UNCHANGED_TYPES[type];
  if (unchanged !== undefined)
    return { decided: new Set(unchanged), hidden: new Set(), table: 'unchanged-types-on-2.3-and-0.ts' };
  const rows = membersOf(type as ChangedType) ?? [];
  const hidden = rows.length === 0 ? [] : hiddenMembers(type as ChangedType, segment);
  return { decided: namesOf(rows), hidden: namesOf(hidden), table: 'member-table-for-2.3-and-0.ts' };
}

function namesOf(members: readonly { readonly name: string }[]): ReadonlySet<string> {
  return new Set(members.map(({ name }) => name));
}

/** Walks the answers of a segment through shown members, and lists the members without a decision. */
function undecidedMembers(segment: OlderSegment): readonly string[] {
  const { roots, named } = canonicalSchemas(segment);
  const [undecided, visited] = [new Set<string>(), new Set<string>()];
  const visit = (schema: Schema): void => {
    if (schema.items !== undefined) visit(schema.items);
    for (const variant of schema.anyOf ?? []) visit(variant);
    for (const member of Object.values(schema.properties ?? {})) visit(member);
    if (schema.$ref !== undefined) visitNamed(schema.$ref.split('/').at(-1) ?? '');
  };
  const visitNamed = (canonicalType: string): void => {
    if (visited.has(canonicalType)) return;
    visited.add(canonicalType);
    const renamedTypes = segment === '0.1' ? TYPES_ON_0_1 : TYPES_ON_2_3_AND_0;
    for (const type of renamedTypes[canonicalType] ?? [canonicalType]) {
      const { decided, hidden, table } = collectDecisions(segment, type);
      for (const [name, schema] of Object.entries(named[canonicalType]?.properties ?? {})) {
        if (!decided.has(name)) undecided.add(`${type}.${name} on segment ${segment}: add a row to ${table}`);
        if (!hidden.has(name)) visit(schema);
      }
    }
  };
  visit(roots);
  return [...undecided];
}

describe.each(['2.3', '0', '0.1'] as const)('members of canonical resources on segment %s', (segment) => {
  it('each have a decision: shown, hidden or renamed', () => {
    expect(undecidedMembers(segment)).toEqual([]);
  });
});

describe.each(['2.3', '0'] as const)('the encoder of segment %s', (segment) => {
  it.each(['Tender', 'Bid', 'Award', 'Auction'] as const)('shows of %s what the table decides', (type) => {
    const names = membersOf(type).map(({ name }) => name);
    const encoded = get(segment, type.toLowerCase(), withEveryMember(names));
    expect(new Set(Object.keys(encoded))).toEqual(wireNames(membersOf(type).map((member) => member[segment])));
  });

  it('shows of a party what the table decides', () => {
    const [party, identifier] = [membersOf('Party'), membersOf('PartyIdentifier')];
    const canonical = {
      ...withEveryMember(party.map(({ name }) => name)),
      identifier: withEveryMember(identifier.map(({ name }) => name)),
    };
    const [encoded] = get(segment, 'bid', { tenderers: [canonical] }).tenderers;
    expect(new Set(Object.keys(encoded))).toEqual(wireNames(party.map((member) => member[segment])));
    const inId = ['name', ...identifier.map((member) => member[segment])];
    expect(new Set(Object.keys(encoded.id))).toEqual(wireNames(inId));
  });
});

function withEveryMember(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, 'x']));
}

function wireNames(names: readonly (string | undefined)[]): ReadonlySet<string> {
  return new Set(names.flatMap((name) => name ?? []));
}

describe('shown members of types on segment 0.1', () => {
  const { named } = canonicalSchemas('0.1');
  const types = Object.keys(named).flatMap((canonicalType) =>
    (TYPES_ON_0_1[canonicalType] ?? [canonicalType as TypeName]).map((type) => ({ canonicalType, type })),
  );

  it.each(types.filter(({ type }) => typeMappingOf(type) !== undefined))(
    'of $type are scalars, or have a type in the table',
    ({ canonicalType, type }) => {
      const passedOn = typeMappingOf(type).members.filter(
        (member) => isShown(member) && member.valueType === undefined,
      );
      const schemas = passedOn.map(({ name }) => [name, named[canonicalType]?.properties?.[name]] as const);
      const objects = schemas.filter(([, schema]) => schema?.$ref ?? schema?.items ?? schema?.properties);
      expect(objects.map(([name]) => name)).toEqual([]);
    },
  );
});
