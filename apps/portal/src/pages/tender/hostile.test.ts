import { describe, expect, it } from 'vitest';
import { doubleDeps } from '../../../test-support/api-double.ts';
import { CONTRACT, hostile, hostileApi, NUMBER } from '../../../test-support/hostile-api.ts';
import { buildApp } from '../../app.ts';

/** What may be an address in markup. */
const ADDRESSES = /(?:href|src|action)="([^"]*)"/g;

describe('a tender that attacks its readers', () => {
  it.each([
    `/tenders/${NUMBER}`,
    `/en/tenders/${NUMBER}`,
    '/tenders?q=a',
    '/en',
    `/tenders/${NUMBER}.atom`,
    `/tenders/${NUMBER}/history`,
    `/tenders/${NUMBER}/history/2`,
    `/en/tenders/${NUMBER}/history/1..2`,
    '/buyers/UA-EDR-25733061',
    '/en/suppliers/UA-EDR-25733061',
    '/statistics',
    '/tenders.atom',
    CONTRACT,
    `/en${CONTRACT}`,
    '/contracts',
    '/en/contracts',
  ])('runs nothing, leads nowhere and shows no secret link: %s', async (url) => {
    const app = buildApp(doubleDeps(hostileApi));
    const { statusCode, body } = await app.inject({ url, headers: { host: 'portal.example' } });
    await app.close();
    expect([url, statusCode]).toEqual([url, 200]);
    expect(body).not.toMatch(
      /<(?:script(?! type="module" src="\/assets\/)|img|svg onload|i>|iframe)|<\/textarea>|\son\w+=(?!&)"/,
    );
    const addresses = [...body.matchAll(ADDRESSES)].map(([, address = '']) => address);
    expect(addresses.length).toBeGreaterThan(2);
    for (const word of hostile.mustNotBeLinks)
      expect(addresses.filter((address) => address.includes(word))).toEqual([]);
    for (const word of hostile.mustNotAppear) expect(body).not.toContain(word);
    // Marks instead of characters that reorder what is written.
    expect(body).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
  });

  it('is shown as it was written', async () => {
    const app = buildApp(doubleDeps(hostileApi));
    const { body } = await app.inject({ url: `/tenders/${NUMBER}`, headers: { host: 'portal.example' } });
    await app.close();
    expect(body).toContain('&lt;script>window.hit=1&lt;/script>Папір');
    expect(body).toContain('⟨U+202E⟩');
  });
});
