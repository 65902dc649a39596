import { STATUS_CODES } from 'node:http';
import { lifeLine } from '../../domain/life-line.ts';
import { visibleText } from '../../format/visible-text.ts';
import { Tag } from '../../parts/basics.tsx';
import { LifeLine } from '../../parts/life-line.tsx';
import { usePage } from '../../parts/page-context.ts';
import { formatCurl, headerName, pretty, type Exchange } from '../../play/exchanges.ts';
import { KEYS } from '../../play/keys.ts';
import type { PlayedStep } from '../../play/play-steps.ts';
import type { ComponentChildren, VNode } from 'preact';
import { PLAY } from './texts.ts';

/** What a step did: a sentence, every request with its answer, and where the tender is after it. */
export function StepView({ step, number }: { readonly step: PlayedStep; readonly number: number }): VNode {
  const t = PLAY[usePage().lang];
  const { name, exchanges, after } = step;
  return (
    <section id={`step-${number}`} class="play-step">
      <h2>
        <span class="play-number">{t.stepOf(number)}</span> {t.steps[name].title}
      </h2>
      <p class="prose">{t.steps[name].text}</p>
      {exchanges.map((exchange, n) => (
        <ExchangeView key={n} exchange={exchange} id={`request-${number}-${n + 1}`} />
      ))}
      {after !== undefined && (
        <LifeLine steps={lifeLine(after.tender, new Date(after.nowMs).toISOString())} nowMs={after.nowMs} />
      )}
    </section>
  );
}

const REFUSED = 400;

function ExchangeView({ exchange, id }: { readonly exchange: Exchange; readonly id: string }): VNode {
  const { lang, site } = usePage();
  const t = PLAY[lang];
  const { player, method, path, status, ms, answerHeaders, answer } = exchange;
  const isRefused = status >= REFUSED;
  const headers = Object.entries(answerHeaders).map(([name, value]) => `${headerName(name)}: ${value}\n`);
  return (
    <div class="exchange">
      <header>
        <span>
          {t.players[player]} {KEYS[player] !== undefined && <code class="quiet">{KEYS[player]}</code>}
        </span>
        <span class="exchange-status">
          <span class="number quiet">
            {ms} {lang === 'uk' ? 'мс' : 'ms'}
          </span>
          <Tag tone={isRefused ? 'bad' : 'good'}>
            {status} {STATUS_CODES[status]}
          </Tag>
        </span>
        <span class="exchange-path">
          <span class={method === 'GET' ? 'method' : 'method write'}>{method}</span> <code>{visibleText(path)}</code>
        </span>
      </header>
      <details>
        <summary>{t.curl}</summary>
        <CodeBlock language="sh" id={id}>
          {formatCurl(exchange, site.apiUrl)}
        </CodeBlock>
      </details>
      <details open={isRefused}>
        <summary>{t.answer}</summary>
        <CodeBlock language="http" id={`${id}-answer`}>
          {`HTTP/1.1 ${status} ${STATUS_CODES[status]}\n${headers.join('')}\n${pretty(answer)}`}
        </CodeBlock>
      </details>
    </div>
  );
}

interface CodeBlockProps {
  readonly language: string;
  readonly id: string;
  readonly children: string;
}

function CodeBlock({ language, id, children }: CodeBlockProps): VNode {
  const { lang } = usePage();
  return (
    <div class="code-block">
      <header>
        {language}
        <button type="button" class="copy" data-copy={id} data-copied={PLAY[lang].copied}>
          {PLAY[lang].copy}
        </button>
      </header>
      <pre tabIndex={0} role="group" aria-label={language}>
        <code id={id}>{coloured(visibleText(children))}</code>
      </pre>
    </div>
  );
}

/** A name of a member, a text, or a number or word of JSON. */
const TOKEN =
  /("(?:\\.|[^"\\\n])*")(?=(\s*:)?)|(?<=[:[,\s])(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null)(?=[,\]}\n])/gi;

/** Colours the JSON in a text; the rest stays as it is. */
function coloured(text: string): readonly ComponentChildren[] {
  const parts: ComponentChildren[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    const [token, quoted, colon] = match;
    const name = quoted === undefined ? 'hljs-number' : colon === undefined ? 'hljs-string' : 'hljs-attr';
    parts.push(text.slice(end, match.index), <span class={name}>{token}</span>);
    end = match.index + token.length;
  }
  return [...parts, text.slice(end)];
}
