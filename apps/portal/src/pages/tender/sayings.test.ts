import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { doubleDeps, type DoubleApi } from '../../../test-support/api-double.ts';
import { buildApp } from '../../app.ts';

const EXAMPLE = new URL('../../../../../packages/ocds/examples/paper.states.json', import.meta.url);
const paper = JSON.parse(readFileSync(EXAMPLE, 'utf8')).at(-1);
const NUMBER = 'UA-2026-03-02-000001';

/** The text of a tender's page, without markup; `html` keeps it. */
async function fetchPage(change: object, path = `/en/tenders/${NUMBER}`): Promise<{ html: string; text: string }> {
  const tender = { ...paper, ...change };
  const api: DoubleApi = (asked) => {
    if (asked.endsWith('/lookup')) return { body: { data: [{ id: paper.id, tenderID: NUMBER }] } };
    if (asked.endsWith('/history')) return { body: { data: [] } };
    return asked.includes('/tenders/') ? { body: { data: tender } } : undefined;
  };
  const app = buildApp(doubleDeps(api));
  try {
    const { body } = await app.inject({ url: path, headers: { host: 'portal.example' } });
    return { html: body, text: body.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' ') };
  } finally {
    await app.close();
  }
}

describe('what the page of a tender says', () => {
  it('does not say of a cancelled tender, whose bids are erased, that nobody made a bid or that an auction is to come', async () => {
    const { text } = await fetchPage({
      status: 'cancelled',
      bids: [],
      numberOfBids: 0,
      awards: undefined,
      contracts: undefined,
      auctionPeriod: { startDate: '2026-03-17T12:00:00+02:00' },
      cancellations: [{ id: 'c'.repeat(32), status: 'active', date: paper.date, reason: 'Not needed.' }],
    });
    expect(text).toContain('its bids are not published');
    expect(text).not.toMatch(/No bid was submitted|Bids ?0|Scheduled for/);
    expect(text).toContain('It was scheduled for 17 March 2026, 12:00; the procurement was cancelled');
    // The reason ends its own sentence.
    expect(text).toContain('“Not needed”.');
  });

  it('says when an auction began that is going on', async () => {
    const { text } = await fetchPage({
      status: 'active.auction',
      bids: undefined,
      awards: undefined,
      contracts: undefined,
      auctionPeriod: { startDate: '2020-03-17T12:00:00+02:00' },
    });
    expect(text).toContain('Began 17 March 2020, 12:00');
    expect(text).not.toContain('Scheduled for');
  });

  it('does not say of a price from the auction that the bid came after the deadline', async () => {
    const [first, ...others] = paper.bids;
    const late = { ...first, date: '2026-03-17T12:09:00+02:00' };
    const { text } = await fetchPage({ bids: [late, ...others] });
    expect(text).toContain('Price of the auction, 17 March 2026, 12:09');
    expect(text).not.toContain('Submitted 17 March');
  });

  it('names the decision that a claim is about', async () => {
    const [award] = paper.awards;
    const complaint = { id: 'd'.repeat(32), type: 'claim', status: 'claim', title: 'Wrong papers', date: paper.date };
    const { text } = await fetchPage({ awards: [{ ...award, complaints: [complaint] }] });
    expect(text).toContain(`About the decision on ${award.suppliers[0].name}`);
  });

  it('has the title without the mark of a test, and no empty value', async () => {
    const { html } = await fetchPage({ title: `[ТЕСТУВАННЯ] ${paper.title}`, mode: 'test', procurementMethod: 'open' });
    expect(/<h1>(.*?)<\/h1>/.exec(html)?.[1]).not.toContain('ТЕСТУВАННЯ');
    expect(html).not.toMatch(/<dd[^>]*><\/dd>/);
  });

  it('says of a contract whose value has changed that the one in short is that of the signature', async () => {
    const [contract] = paper.contracts;
    const implementation = { value: { amount: 1, currency: 'UAH', valueAddedTaxIncluded: true } };
    const { text } = await fetchPage({ contracts: [{ ...contract, implementation }] });
    expect(text).toContain('as signed; amended later');
    expect((await fetchPage({})).text).not.toContain('as signed; amended later');
  });
});
