import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { barriersAtAllWidths, openPage, useRoomWithBrowser, WAIT } from '../support/auction-pages.ts';
import { until } from '../support/broker.ts';
import { tenderInAuction } from '../support/tender-in-auction.ts';

const OPERATOR = { username: 'operator', password: 'a key of an operator' };
const PORTAL = 'https://portal.example.org';
const given = useRoomWithBrowser({
  OPERATOR_KEYS: `operator:${createHash('sha256').update(OPERATOR.password).digest('hex')}`,
  PORTAL_PUBLIC_URL: PORTAL,
});
const NOBODY = '0'.repeat(32);

describe.skipIf(!given.isPossible)('the pages of the auction room around an auction (portal.md 7, 10)', () => {
  it('have no barrier at any width, light and dark', async () => {
    const { id, links } = await tenderInAuction(given.gatewayUrl, ['broker2', 'broker3']);
    const [link = ''] = await links();
    for (const locale of ['uk-UA', 'en-GB'])
      for (const address of [`${given.room.url}/`, `${given.room.url}/?q=UA-none`, link]) {
        const { page, errors, elsewhere } = await openPage(given.browser, address, { locale });
        expect(await barriersAtAllWidths(page), address).toEqual([]);
        expect([errors, elsewhere]).toEqual([[], []]);
        await page.context().close();
      }
    // The number of the tender leads to the portal, and the list to the auction.
    const { page } = await openPage(given.browser, `${given.room.url}/tenders/${NOBODY}`, { locale: 'en-GB' });
    expect(await barriersAtAllWidths(page)).toEqual([]);
    await page.locator('main').getByRole('link', { name: 'All auctions' }).click();
    await page.locator(`a[href="/tenders/${id}"]`).click();
    const number = page.locator('.page-head a');
    expect(await number.getAttribute('href')).toBe(`${PORTAL}/en/tenders/${await number.innerText()}`);
    await page.context().close();
  });

  it('for operators have none either, and show what changes without being loaded anew', async () => {
    const { id } = await tenderInAuction(given.gatewayUrl, ['broker2', 'broker3']);
    const options = { httpCredentials: OPERATOR };
    const { page, errors } = await openPage(given.browser, `${given.room.operatorsUrl}/`, options);
    await page.locator(`a[href="/auctions/${id}"]`).waitFor(WAIT);
    expect(await barriersAtAllWidths(page)).toEqual([]);
    const later = await tenderInAuction(given.gatewayUrl, ['broker2', 'broker3']);
    await page.locator(`a[href="/auctions/${later.id}"]`).waitFor(WAIT);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Go on' }).waitFor(WAIT);
    await page.locator(`a[href="/auctions/${id}"]`).click();
    await page.getByText('AuctionPlanned').waitFor(WAIT);
    await page.locator('summary').first().click();
    expect(await barriersAtAllWidths(page)).toEqual([]);
    await page.fill('#void-reason', 'a test');
    await page.fill('#void-number', await page.innerText('.page-head .number'));
    await page.getByRole('button', { name: 'Void the auction' }).click();
    await page.getByText('OperatorActed').waitFor(WAIT);
    await page.getByRole('link', { name: 'New auctions' }).click();
    await until('the form', async () => page.isVisible('#stop-reason'));
    expect(await barriersAtAllWidths(page)).toEqual([]);
    expect(errors).toEqual([]);
  });
});
