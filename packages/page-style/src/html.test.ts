import { expect, test } from 'vitest';
import { framedPage } from './frame.ts';
import { html } from './html.ts';

test('every text is escaped, in elements and in attributes, also in lists', () => {
  const hostile = `"><script>'&`;
  const escaped = '&quot;&gt;&lt;script&gt;&#39;&amp;';
  expect(html`<a title="${hostile}">${[hostile, html`<b>${hostile}</b>`]}</a>`.markup).toBe(
    `<a title="${escaped}">${escaped}<b>${escaped}</b></a>`,
  );
});

test('nothing stands for undefined and false, and a number is itself', () => {
  expect(html`${undefined}${false}${0}`.markup).toBe('0');
});

test('a framed page marks the current link of its menu, and names page and site', () => {
  const page = framedPage({
    lang: 'en',
    title: 'Guides <1>',
    site: { href: '/', text: 'Public procurement' },
    menu: [
      { href: '/docs/guides', text: 'Guides', isCurrent: true },
      { href: '/docs', text: 'Reference' },
    ],
    sheets: ['/docs/assets/docs.css'],
    favicon: '/favicon.svg',
    data: { now: '"1"' },
    body: html`<main id="main"></main>`,
    footer: [],
  });
  expect(page).toContain('<body data-now="&quot;1&quot;">');
  expect(page).toContain('<title>Guides &lt;1&gt; – Public procurement</title>');
  expect(page).toContain('<a href="/docs/guides" aria-current="page">Guides</a><a href="/docs">Reference</a>');
});
