import type { VNode } from 'preact';
import { differenceLines, type DifferenceRow } from '../../domain/difference-rows.ts';
import { formatNumber } from '../../format/money.ts';
import { findValue } from '../../format/find-value.ts';
import { visibleText } from '../../format/visible-text.ts';
import { Code, Others, When } from '../../parts/basics.tsx';
import { usePage } from '../../parts/page-context.ts';
import { findWord, type WordList } from '../../texts/words.ts';
import { HISTORY, MEMBERS } from './texts.ts';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
/** The words of a status, by the list that holds the object. */
const STATUS_WORDS: Readonly<Record<string, WordList>> = {
  lots: 'lotStatus',
  bids: 'bidStatus',
  awards: 'awardStatus',
  contracts: 'contractStatus',
  implementation: 'contractStatus',
  changes: 'contractChangeStatus',
  transactions: 'transactionStatus',
  cancellations: 'cancellationStatus',
  complaints: 'complaintStatus',
};

/** Members whose values are codes with words in `codes` of the texts. */
const CODED: ReadonlySet<unknown> = new Set(['documentOf', 'questionOf', 'featureOf', 'author']);

/** Shows where something changed, what it was, and what it is now. */
export function DifferenceTable({ rows }: { readonly rows: readonly DifferenceRow[] }): VNode {
  const { lang } = usePage();
  const t = HISTORY[lang];
  return (
    <table class="data-table diff-table rows">
      <thead>
        <tr>
          <th scope="col">{t.where}</th>
          <th scope="col">{t.old}</th>
          <th scope="col">{t.new}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, n) => (
          <tr key={n}>
            <th scope="row" data-name={t.where}>
              <Where where={row.where} />
            </th>
            <td data-name={t.old}>
              <Side row={row} side="old" />
            </td>
            <td data-name={t.new}>
              <Side row={row} side="new" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** `Question 1 › Answer`. */
function Where({ where }: Pick<DifferenceRow, 'where'>): VNode {
  const { lang } = usePage();
  return (
    <>
      {where.map((name, n) => {
        if (typeof name === 'number') return ` ${name}`;
        const word = Object.hasOwn(MEMBERS, name) ? MEMBERS[name]?.[lang === 'uk' ? 0 : 1] : undefined;
        return (
          <span key={n}>
            {n > 0 && ' › '}
            {word ?? <code>{visibleText(name)}</code>}
          </span>
        );
      })}
    </>
  );
}

interface SideProps {
  readonly row: DifferenceRow;
  readonly side: 'old' | 'new';
}

function Side({ row, side }: SideProps): VNode | null {
  const { lang } = usePage();
  const { where, old, new: fresh } = row;
  const value = side === 'old' ? old : fresh;
  if (value === undefined)
    return <span class="quiet">{side === 'old' ? HISTORY[lang].absent : HISTORY[lang].removed}</span>;
  if (typeof old === 'string' && typeof fresh === 'string' && `${old}${fresh}`.includes('\n'))
    return <Lines old={old} fresh={fresh} side={side} />;
  const content = <Value where={where} value={value} />;
  if (old === undefined || fresh === undefined) return content;
  return side === 'old' ? <del>{content}</del> : <ins>{content}</ins>;
}

/** A long text: its lines, of which those that changed are marked. */
function Lines({
  old,
  fresh,
  side,
}: {
  readonly old: string;
  readonly fresh: string;
  readonly side: 'old' | 'new';
}): VNode {
  const lines = differenceLines(old, fresh).filter(({ kind }) => kind === 'same' || kind === side);
  return (
    <>
      {lines.map(({ kind, text }, n) => {
        const line = <Others text={text} />;
        return <div key={n}>{kind === 'same' ? line : side === 'old' ? <del>{line}</del> : <ins>{line}</ins>}</div>;
      })}
    </>
  );
}

function Value({ where, value }: { readonly where: DifferenceRow['where']; readonly value: unknown }): VNode {
  const { lang } = usePage();
  const t = HISTORY[lang];
  if (typeof value === 'boolean') return <>{value ? t.yes : t.no}</>;
  if (typeof value === 'number') return <span class="number">{formatNumber(value, lang)}</span>;
  if (typeof value !== 'string') return <code>{visibleText(JSON.stringify(value))}</code>;
  if (CODED.has(where.at(-1))) return <Others text={findValue<string>(t.codes, value) ?? value} />;
  const list = findWordList(where);
  if (list !== undefined && findWord(list, value, lang) !== undefined) return <Code list={list} code={value} />;
  return INSTANT.test(value) ? <When at={value} /> : <Others text={value} />;
}

function findWordList(where: DifferenceRow['where']): WordList | undefined {
  const name = where.at(-1);
  if (name === 'documentType') return 'documentType';
  if (where.includes('rationaleTypes')) return 'rationaleType';
  if (name !== 'status') return undefined;
  const holder = where.findLast((part, n) => typeof part === 'string' && n < where.length - 1);
  return holder === undefined ? 'tenderStatus' : STATUS_WORDS[holder];
}
