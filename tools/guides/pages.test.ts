import { describe, expect, it } from 'vitest';
import { indexOf, pageOf, type Guide } from './pages.ts';

const tokens: Guide = { path: 'docs/guides/tokens.md', name: 'tokens', markdown: '# Keys & tokens\n' };
const client: Guide = { path: 'packages/client/README.md', name: 'client', markdown: '# Client\n' };
const first: Guide = {
  path: 'docs/guides/first.md',
  name: 'first',
  markdown: `# First

<!-- not run: a reason -->

[a](tokens.md#keys) [b](../../packages/client/README.md) [c](../errors.md#x) [d](../decisions/0001-x.md) [e](#with-curl)

## With curl

<script>alert(1)</script>
`,
};

describe('the page of a guide', () => {
  const page = pageOf(first, [first, tokens, client]);

  it('leads to the pages of the gateway, and nowhere else', () => {
    const [, main = ''] = page.split('<main>');
    expect([...main.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      '/docs/guides/tokens#keys',
      '/docs/guides/client',
      '/docs/errors#x',
      '#with-curl',
    ]);
    expect(page).toContain('<h2 id="with-curl">With curl</h2>');
  });

  it('has no script and no comment', () => {
    expect(page).not.toMatch(/<script|<!--/);
  });

  it('names all guides', () => {
    expect(page).toContain('<a href="/docs/guides/tokens">Keys &amp; tokens</a>');
    expect(indexOf([first, tokens])).toContain('<li><a href="/docs/guides/tokens">Keys &amp; tokens</a></li>');
  });
});
