import { describe, expect, it } from 'vitest';
import { guideView } from './guide-view.ts';
import { rendered } from './guide.ts';
import { GUIDES } from './guides.ts';

/** Apart, so that the check of citations takes none of these for a citation. */
const MD = '.md';

const MARKDOWN = `# First

<!-- not run: a reason -->

[a](tokens${MD}#keys) [b](../../packages/client/README${MD}) [c](../errors${MD}#x) [d](../decisions/0001-x${MD}) [e](#with-curl)

## With curl & *more*

<script>alert(1)</script>

| Name | Means |
|---|---|
| \`a\` | b < c |

\`\`\`sh
api=http://127.0.0.1:8080/api/2.5
curl "$api/tenders" | node -p 1
\`\`\`

### Then

Last.
`;

const guide = rendered(MARKDOWN, `docs/guides/first${MD}`);

describe('the markup of a guide', () => {
  it('leads to the pages of the gateway, and nowhere else', () => {
    expect([...guide.markup.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      '/docs/guides/tokens#keys',
      '/docs/guides/client',
      '/docs/errors#x',
      '#with-curl',
    ]);
    expect(guide.markup).toContain('<h2 id="with-curl--more">With curl &amp; <em>more</em></h2>');
  });

  it('has no title, no script and no comment', () => {
    expect(guide.markup).not.toMatch(/<h1|<script|<!--|style=/);
  });

  it('has code with its language, a button that copies it, colours as classes, and addresses in one piece', () => {
    expect(guide.markup).toContain('<header>Shell<button class="copy" type="button" data-copy="code-1"');
    expect(guide.markup).toContain('<span class="hljs-built_in">curl</span> <span class="hljs-string">&quot;');
    expect(guide.markup).toContain('| <span class="hljs-built_in">node</span> -p 1');
    expect(guide.markup).toContain('api=http://127.0.0.1:8080/api/2.5');
  });

  it('has tables that scroll in a region with a name', () => {
    expect(guide.markup).toContain('role="region" tabindex="0" aria-label="Table 1: With curl &amp; more"');
  });

  it('refuses a block of code whose language has no colours', () => {
    expect(() => rendered('```py\n1\n```', '')).toThrow('a block of code in "py"');
  });
});

describe('the sections of a guide', () => {
  it('are its texts without markup, under their headings', () => {
    expect(guide.sections).toEqual([
      { id: '', title: '', depth: 1, text: 'a b c d e' },
      {
        id: 'with-curl--more',
        title: 'With curl & more',
        depth: 2,
        text: 'Name Means a b < c api=http://127.0.0.1:8080/api/2.5 curl "$api/tenders" | node -p 1',
      },
      { id: 'then', title: 'Then', depth: 3, text: 'Last.' },
    ]);
  });
});

describe('the page of a guide', () => {
  const renderGuide = (at: number): string => {
    const one = GUIDES.at(at);
    if (one === undefined) throw new Error(`there is no guide ${at}`);
    return guideView(one, guide).markup;
  };

  it('marks its place among all guides, and names its neighbours', () => {
    const page = renderGuide(1);
    for (const { name } of GUIDES) expect(page).toContain(`<a href="/docs/guides/${name}"`);
    expect(page.match(/aria-current="page">Keys and tokens/g)).toHaveLength(2);
    expect(page).toContain('rel="prev" href="/docs/guides/first-procedure"');
    expect(page).toContain('rel="next" href="/docs/guides/client"');
    expect(renderGuide(0)).not.toContain('rel="prev"');
    expect(renderGuide(-1)).not.toContain('rel="next"');
  });

  it('lists its headings', () => {
    expect(renderGuide(0)).toContain('<li class="depth-3"><a href="#then">Then</a></li>');
  });
});
