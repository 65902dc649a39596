import { Html, html } from '@procurement/page-style/html';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import http from 'highlight.js/lib/languages/http';
import json from 'highlight.js/lib/languages/json';
import typescript from 'highlight.js/lib/languages/typescript';

hljs.registerLanguage('sh', bash);
hljs.registerLanguage('http', http);
hljs.registerLanguage('json', json);
hljs.registerLanguage('ts', typescript);

/** What a reader calls the languages of blocks. */
const LABELS: Readonly<Record<string, string>> = { sh: 'Shell', ts: 'TypeScript', json: 'JSON', http: 'HTTP' };

/** Programs that the blocks call, which the grammar of the shell does not know. */
const PROGRAMS = /(^ *|[{(|;] ?|&amp;&amp; )(curl|npm|npx|node|procurement)(?= )/gm;

/** Code with its language and a button that copies it. `id`: of the code, one on a page. Lines scroll (portal.md 8.1). */
export function codeBlock(code: string, language: string, id: string): Html {
  const label = LABELS[language];
  if (label === undefined) throw new Error(`a block of code in "${language}": name it sh, ts, json or http`);
  const markup = hljs.highlight(code, { language }).value;
  const shown = language === 'sh' ? markup.replaceAll(PROGRAMS, '$1<span class="hljs-built_in">$2</span>') : markup;
  return html`<div class="code-block"><header>${label}<button class="copy" type="button" data-copy="${id}" data-copied="Copied" aria-live="polite">Copy</button></header><pre tabindex="0"><code id="${id}">${new Html(shown)}</code></pre></div>
`;
}
