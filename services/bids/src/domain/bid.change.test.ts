import fc from 'fast-check';
import type { Actor } from '@procurement/contracts/api/actor';
import { TENDER_STATUSES } from '@procurement/contracts/resources/tender';
import { ACTORS } from '@procurement/testing/actors';
import { describe, expect, it } from 'vitest';
import {
  bidder,
  CALLERS,
  tenderFacts,
  tenderFactsWithLots,
  LOTS,
  bidMeta,
  organizationBody,
  PHASES,
  REGISTERED_AT,
  storedBid,
  type JsonObject,
} from '../../test-support/bidding-facts.ts';
import { decideBid } from './bid.decide.ts';
import { evolveBid } from './bid.evolve.ts';
import type { BidState } from './bid.ts';

const early: Actor = { ...bidder, segment: '2.3' };
const CHANGED_AT = '2026-05-12T00:00:00.000000+03:00';

interface ChangeOptions {
  readonly bid?: BidState;
  readonly tender?: ReturnType<typeof tenderFacts>;
  readonly actor?: Actor;
  readonly owns?: boolean;
  readonly now?: string;
}

function change(
  data: JsonObject,
  { bid = storedBid(), tender = tenderFacts(), actor = bidder, owns = true, now = '2026-05-12' }: ChangeOptions = {},
) {
  const command = {
    type: 'ChangeBid',
    body: { kind: 'data', data },
    meta: { ...bidMeta({ now, actor }), owns },
  } as const;
  const decision = decideBid({ tender, phase: 'open', bid }, command);
  if ('refused' in decision) {
    const { status, code, errors } = decision.refused;
    return { status, code, errors: errors.map(({ name, description }) => [name, description]) };
  }
  const [event] = decision.accepted;
  return {
    status: 200,
    changes: decision.accepted.length,
    document: event?.type === 'BidChanged' ? event.document : bid.document,
  };
}

describe('ChangeBid: declarations and scale (rulings R25)', () => {
  const declared = { selfEligible: true, selfQualified: true, subcontractingDetails: 'ТОВ "Ремонт"' };
  const tenderers = [organizationBody({ scale: 'micro' })];
  const bid = storedBid({ ...declared, tenderers });

  it('sets and changes declarations, and keeps the date of the bid', () => {
    expect(change({ ...declared, tenderers: [{ scale: 'sme' }] }).document).toEqual({
      ...storedBid(declared).document,
      tenderers: [organizationBody({ scale: 'sme' })],
    });
    expect(change({ selfEligible: false }, { bid }).document).toEqual({
      ...storedBid({ ...declared, tenderers }).document,
      selfEligible: false,
    });
  });

  it.each(['2.5', '2.3', '0', '0.1'])('keeps them when a PATCH on %s has other members only', (segment) => {
    const result = change({ value: { amount: 450 } }, { bid, actor: { ...bidder, segment } });
    expect(result.document).toMatchObject({ ...declared, tenderers });
  });

  it('checks their shape', () => {
    expect(change({ selfEligible: 'maybe', tenderers: [{ scale: 'huge' }] }).errors).toEqual([
      ['selfEligible', ['Must be either true or false.']],
    ]);
    expect(change({ tenderers: [{ scale: 'huge' }] }).errors).toEqual([
      ['tenderers', [{ scale: ["Value must be one of ['micro', 'sme', 'mid', 'large', 'not specified']."] }]],
    ]);
  });

  it('drops the scale of a tenderer who becomes another organization in an older segment', () => {
    const result = change({ tenderers: [{ identifier: { id: '2' } }] }, { bid, actor: early });
    expect(result.document?.tenderers[0]).not.toHaveProperty('scale');
  });
});

describe('ChangeBid (bids-awards-auction.md 1.1, 1.2)', () => {
  it('changes the amount and the date with it', () => {
    expect(change({ value: { amount: 450 } }).document).toEqual({
      ...storedBid().document,
      value: { amount: 450, currency: 'UAH', valueAddedTaxIncluded: true },
      date: CHANGED_AT,
    });
  });

  it('changes the tenderer and keeps the date', () => {
    const document = change({ tenderers: [{ name: 'Інша' }] }).document;
    expect(document).toEqual({ ...storedBid().document, tenderers: [organizationBody({ name: 'Інша' })] });
  });

  it('activates a draft and keeps the date', () => {
    const bid = storedBid({ status: 'draft' });
    expect(change({ status: 'active' }, { bid }).document).toEqual({ ...bid.document, status: 'active' });
  });

  it.each<[string, JsonObject]>([
    ['an empty body', {}],
    ['the stored members', { ...storedBid().document }],
    ['an empty element', { tenderers: [{}] }],
    ['nulls at the top level', { value: null, tenderers: null, status: null }],
    [
      'members that only the service assigns',
      { id: '2'.repeat(32), date: '2020-01-01', participationUrl: 'http://example.org/' },
    ],
    ['documents, which have their own endpoints', { documents: [{ title: 'x' }] }],
  ])('changes nothing for %s', (_what, data) => {
    expect(change(data)).toEqual({ status: 200, changes: 0, document: storedBid().document });
  });

  it('merges parameters by position; a shorter list cuts the tail, an empty one removes all', () => {
    const features = ['x', 'y'].map((code) => ({
      code,
      featureOf: 'tenderer',
      enum: [{ value: 0.1 }, { value: 0.2 }],
    }));
    const parameters = features.map(({ code }) => ({ code, value: 0.1 }));
    const options = { bid: storedBid({ parameters }), tender: tenderFacts({ features }) };
    expect(change({ parameters: [{}, { value: 0.2 }] }, options).document?.parameters).toEqual([
      { code: 'x', value: 0.1 },
      { code: 'y', value: 0.2 },
    ]);
    expect(change({ parameters: [{}] }, options).errors).toEqual([
      ['parameters', ['All features parameters is required.']],
    ]);
    expect(change({ parameters: [] }, { ...options, tender: tenderFacts() }).document).not.toHaveProperty('parameters');
  });

  it('increments the version and changes no other member of the state', () => {
    const after = evolveBid(storedBid(), { type: 'BidChanged', document: storedBid({ status: 'draft' }).document });
    expect([after.version, after.document.status, after.owner]).toEqual([2, 'draft', 'broker2']);
    expect(evolveBid(after, { type: 'BidWithdrawn' })).toEqual({ ...after, version: 3 });
  });
});

describe('ChangeBid: bids for lots', () => {
  const value = (amount: number): JsonObject => ({ amount, currency: 'UAH', valueAddedTaxIncluded: true });
  const url = 'http://example.org/auction';
  const bid = storedBid({
    lotValues: LOTS.map((relatedLot, at) => ({
      relatedLot,
      value: value(5),
      date: REGISTERED_AT,
      ...(at === 1 ? { participationUrl: url } : {}),
    })),
  });
  const options = { bid, tender: tenderFactsWithLots() };

  it('updates the date of the lot whose amount changed, and no other', () => {
    expect(change({ lotValues: [{}, { value: { amount: 4 } }] }, options).document).toEqual({
      ...bid.document,
      lotValues: [bid.document.lotValues?.[0], { ...bid.document.lotValues?.[1], value: value(4), date: CHANGED_AT }],
    });
  });

  it('keeps date and link with their lot when the list is reversed', () => {
    const turned = [...LOTS].reverse().map((relatedLot) => ({ relatedLot }));
    expect(change({ lotValues: turned }, options).document?.lotValues).toEqual(
      [...(bid.document.lotValues ?? [])].reverse(),
    );
  });

  it('removes the tail, and appends lots with the current date', () => {
    const cut = change({ lotValues: [{}] }, options).document;
    expect(cut?.lotValues).toEqual(bid.document.lotValues?.slice(0, 1));
    const alone = storedBid({ lotValues: bid.document.lotValues?.slice(0, 1) });
    const added = { relatedLot: LOTS[1], value: { amount: 3 } };
    expect(change({ lotValues: [{}, added] }, { ...options, bid: alone }).document?.lotValues?.[1]).toEqual({
      relatedLot: LOTS[1],
      value: value(3),
      date: CHANGED_AT,
    });
  });

  it.each<[string, JsonObject, string, unknown]>([
    ['an empty list of lots', { lotValues: [] }, 'lotValues', ['This field is required.']],
    [
      'the same lot twice',
      { lotValues: [{}, { relatedLot: LOTS[0] }] },
      'lotValues',
      ["bids don't allow duplicated proposals"],
    ],
    [
      'an amount above the limit',
      { lotValues: [{ value: { amount: 11 } }, {}] },
      'lotValues',
      [{ value: ['value of bid should be less than value of lot'] }],
    ],
    [
      'an unknown lot',
      { lotValues: [{ relatedLot: 'c'.repeat(32) }, {}] },
      'lotValues',
      [{ relatedLot: ['relatedLot should be one of lots'] }],
    ],
    [
      'a value beside the lot values',
      { value: { amount: 1 } },
      'value',
      ['value should be posted for each lot of bid'],
    ],
  ])('refuses %s, as on POST', (_what, data, name, description) => {
    expect(change(data, options)).toEqual({ status: 422, code: 'bid.terms', errors: [[name, description]] });
  });
});

describe('ChangeBid: refusals and their order (http.md 0.2)', () => {
  it.each<[string, JsonObject, ChangeOptions, number, string]>([
    ['missing credentials', { price: 1 }, { actor: ACTORS.anonymous, owns: false }, 401, 'request.key-missing'],
    ['a caller who is not the owner', { price: 1 }, { owns: false }, 403, 'request.token-missing'],
    [
      'an invalid body in a wrong status',
      { price: 1 },
      { tender: tenderFacts({ status: 'complete' }) },
      422,
      'body.invalid',
    ],
    [
      'an amount above the limit in a wrong status',
      { value: { amount: 501 } },
      { tender: tenderFacts({ status: 'complete' }) },
      422,
      'bid.terms',
    ],
    [
      'back to a draft in a wrong status',
      { status: 'draft' },
      { tender: tenderFacts({ status: 'active.auction' }) },
      403,
      'bid.update-status',
    ],
    ['back to a draft after the period', { status: 'draft' }, { now: '2026-05-21' }, 403, 'bid.update-period'],
    ['back to a draft', { status: 'draft' }, {}, 403, 'bid.to-status'],
    ['an empty body after the period', {}, { now: '2026-05-21' }, 403, 'bid.update-period'],
    ['an unknown status', { status: 'pending' }, {}, 422, 'body.invalid'],
    ['removal of a required member', { tenderers: [{ name: null }] }, {}, 422, 'body.invalid'],
    ['no tenderers', { tenderers: [] }, {}, 422, 'body.invalid'],
  ])('refuses %s', (_what, data, options, status, code) => {
    expect(change(data, options)).toMatchObject({ status, code });
  });

  it('reports a forbidden status under the name `bid`', () => {
    expect(change({ status: 'draft' }).errors).toEqual([['bid', "Can't update bid to (draft) status"]]);
  });
});

describe('ChangeBid by older segments (bids-awards-auction.md 5, rulings R13)', () => {
  const bare = storedBid({ tenderers: [{ name: 'x', identifier: { scheme: 'anything' } }] });

  it('does not require members that these segments may omit while they stay unchanged, in any segment', () => {
    expect(change({ value: { amount: 1 } }, { bid: bare, actor: early }).status).toBe(200);
    expect(change({ value: { amount: 1 } }, { bid: bare }).status).toBe(200);
    expect(change({ tenderers: [{ name: 'y' }] }, { bid: bare, actor: early }).status).toBe(200);
    expect(change({ tenderers: [{ name: 'y' }] }, { bid: bare }).status).toBe(422);
  });

  it('refuses the status invalidBid, which no bid here can have', () => {
    expect(change({ status: 'invalidBid' }, { actor: early }).errors).toEqual([
      ['bid', "Can't update bid to (invalidBid) status"],
    ]);
    expect(change({ status: 'invalidBid' }).status).toBe(422);
  });

  it('removes hidden names of another organization, and keeps those of the same', () => {
    const named = organizationBody({ name_en: 'DUS', identifier: { scheme: 'UA-EDR', id: '37256', legalName: 'ДУС' } });
    const options = { bid: storedBid({ tenderers: [named] }), actor: early };
    expect(change({ tenderers: [{ name: 'y', identifier: { id: 37256 } }] }, options).document?.tenderers).toEqual([
      { ...named, name: 'y' },
    ]);
    expect(change({ tenderers: [{ name: 'y', identifier: { id: '1' } }] }, options).document?.tenderers).toEqual([
      organizationBody({ name: 'y', identifier: { scheme: 'UA-EDR', id: '1' } }),
    ]);
    const full = { ...options, actor: bidder };
    expect(
      change({ tenderers: [{ identifier: { id: '1' } }] }, full).document?.tenderers[0]?.identifier.legalName,
    ).toBe('ДУС');
  });
});

describe('decideBid', () => {
  it('property: accepts or refuses any body in any state, and never throws', () => {
    const members = [
      'id',
      'date',
      'status',
      'tenderers',
      'value',
      'lotValues',
      'parameters',
      'documents',
      'participationUrl',
      '__proto__',
    ];
    const bodies = fc.dictionary(fc.oneof(fc.constantFrom(...members), fc.string()), fc.jsonValue({ maxDepth: 4 }));
    const tenders = fc.constantFrom(tenderFacts(), tenderFactsWithLots());
    const callers = fc.constantFrom(...Object.values(CALLERS));
    fc.assert(
      fc.property(
        bodies,
        tenders,
        fc.constantFrom(...TENDER_STATUSES),
        fc.constantFrom(...PHASES),
        callers,
        fc.constantFrom('2.5', '2.3'),
        (data, tender, status, phase, { actor, owns }, segment) => {
          const meta = bidMeta({ actor: { ...actor, segment }, open: true });
          const state = { tender: { ...tender, status }, phase, bid: storedBid() };
          const body = { kind: 'data', data: JSON.parse(JSON.stringify(data)) } as const;
          const ids = { id: '2'.repeat(32), ownerTokenHash: '', transferHash: '' };
          const decisions = [
            decideBid(state, { type: 'RegisterBid', body, meta: { ...meta, ...ids } }),
            decideBid(state, { type: 'ChangeBid', body, meta: { ...meta, owns } }),
          ];
          for (const decision of decisions) {
            if ('refused' in decision) expect([401, 403, 404, 422]).toContain(decision.refused.status);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('property: a repeated change changes nothing', () => {
    const amounts = fc.integer({ min: 0, max: 500 });
    fc.assert(
      fc.property(
        amounts,
        fc.string({ minLength: 1 }).filter((name) => /^[\w ]+$/.test(name)),
        (amount, name) => {
          const data = { value: { amount }, tenderers: [{ name }] };
          const { document } = change(data);
          const bid = { ...storedBid(), ...(document === undefined ? {} : { document }) };
          expect(change(data, { bid, now: '2026-05-13' })).toMatchObject({ status: 200, changes: 0 });
        },
      ),
    );
  });
});

describe('ChangeBid with the present status (rulings R27)', () => {
  it('has no effect, also after the time for bids', () => {
    const tender = tenderFacts({ status: 'active.auction' });
    expect(change({ status: 'active' }, { tender })).toMatchObject({ status: 200, changes: 0 });
    expect(change({ value: { amount: 1 } }, { tender })).toMatchObject({ status: 403 });
  });
});
