import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { doubleDeps } from '../../test-support/api-double.ts';
import { withPage } from '../parts/page-context.ts';
import { BidChart, type ChartBid } from './bid-chart.tsx';

const BIDS: readonly ChartBid[] = [
  { id: 'b', name: 'ТОВ «Папір»', amount: 80_000 },
  { id: 'a', name: 'ФОП Приклад', amount: 90_000 },
  { id: 'c', name: 'ТОВ «Фарби»', amount: 100_000 },
];

function render(bids: readonly ChartBid[], winner?: string, amount = 100_000): string {
  const site = doubleDeps(() => undefined).siteOf({ own: 'https://portal.example', api: 'https://api.example' }, false);
  const chart = h(BidChart, { bids, winner, expected: { amount, currency: 'UAH' } });
  const page = { lang: 'uk', path: '/', nowMs: 0, site, onUnread: () => undefined } as const;
  return withPage(page, () => renderToString(chart)).replaceAll('\u00a0', ' ');
}

/** Positions of dots, and of the line of the expected value. */
const positions = (html: string, attribute: string): string[] =>
  [...html.matchAll(new RegExp(` ${attribute}="([\\d.]+%)"`, 'g'))].map(([, at = '']) => at);

describe('BidChart', () => {
  it('puts a dot for each bid between the lowest amount and the expected value, in the order given', () => {
    const html = render(BIDS, 'a');
    expect(positions(html, 'cx')).toEqual(['2%', '50%', '98%']);
    expect(positions(html, 'x1')).toEqual(['98%', '98%', '98%']);
    expect([...html.matchAll(/<bdi[^>]*>([^<]*)/g)].map(([, name]) => name)).toEqual(BIDS.map(({ name }) => name));
  });

  it('fills and tags the winner, and says every figure and that the axis does not start at zero', () => {
    const html = render(BIDS, 'a');
    expect(html.match(/class="fill"/g)).toHaveLength(1);
    expect(html).toMatch(/ФОП Приклад<\/bdi><span class="tag good">.*?Переможець<\/span>/);
    for (const amount of ['80 000,00 грн', '90 000,00 грн', '100 000,00 грн']) expect(html).toContain(amount);
    expect(html).toContain('Вісь починається не з нуля: від 80 000,00 грн до 100 000,00 грн.');
  });

  it('reaches beyond the expected value when a bid is higher', () => {
    const html = render(BIDS, undefined, 90_000);
    expect(positions(html, 'x1')).toEqual(['50%', '50%', '50%']);
    expect(html).not.toContain('class="fill"');
  });

  it('is nothing without bids, or when no amount differs', () => {
    expect(render([])).toBe('');
    expect(render(BIDS.slice(2))).toBe('');
  });
});
