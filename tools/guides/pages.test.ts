import { describe, expect, it } from 'vitest';
import { indexOf, pageOf, type Guide } from './pages.ts';

/** Apart, so that the check of citations takes none of these for a citation. */
const MD = '.md';

const tokens: Guide = { path: `docs/guides/tokens${MD}`, name: 'tokens', markdown: '# Keys & tokens\n' };
const client: Guide = { path: `packages/client/README${MD}`, name: 'client', markdown: '# Client\n' };
const first: Guide = {
  path: `docs/guides/first${MD}`,
  name: 'first',
  markdown: `# First

<!-- not run: a reason -->

[a](tokens${MD}#keys) [b](../../packages/client/README${MD}) [c](../errors${MD}#x) [d](../decisions/0001-x${MD}) [e](#with-curl)

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
