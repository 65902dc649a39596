import type { VNode } from 'preact';
import type { Facet } from '../../api/reads.ts';
import {
  FIELDS,
  filtersOf,
  valuesOf,
  type AskedSearch,
  type Field,
  type Search,
  type SearchProblems,
} from '../../domain/search-parameters.ts';
import { formatNumber } from '../../format/money.ts';
import { usePage } from '../../parts/page-context.ts';
import { regionName, codesWithWords } from '../../texts/words.ts';
import { cpvWords, statusWords } from './filter-words.ts';
import type { Facets } from './outcome.ts';
import { SEARCH } from './texts.ts';

/** Id of the one form of the page. */
export const FORM = 'search';

/** Parameters with a field for what the visitor writes; `status`, `cpv` and `region` are choices. */
export const HAS_INPUT: ReadonlySet<Field> = new Set<Field>([
  'q',
  'buyer',
  'amountFrom',
  'amountTo',
  'createdFrom',
  'createdTo',
]);
const CHOICES: ReadonlySet<Field> = new Set<Field>(['status', 'cpv', 'region']);
const CHOICES_SHOWN = 6;

export const inputId = (field: Field): string => `f-${field}`;

/** Parameters that came with the address and have no field: the form keeps them. */
export function HiddenInputs({ search }: { readonly search: Search }): VNode {
  return (
    <>
      {FIELDS.filter((field) => !HAS_INPUT.has(field) && !CHOICES.has(field) && field !== 'cursor').map((field) =>
        search[field] === undefined ? null : <input key={field} type="hidden" name={field} value={search[field]} />,
      )}
    </>
  );
}

interface PanelProps {
  readonly search: AskedSearch;
  readonly facets: Facets;
  readonly problems: SearchProblems;
}

/** The filters: a column on a wide screen, closed above the results on a narrow one. */
export function FilterPanel({ search, facets, problems }: PanelProps): VNode {
  const { lang } = usePage();
  const t = SEARCH[lang];
  const { written } = search;
  const chosen = filtersOf(written).filter(({ field }) => field !== 'q').length;
  const statuses = codesWithWords('tenderStatus').filter((status) => status !== 'draft');
  const counted = new Map(facets.status?.map(({ key, count }) => [key, count]));
  const allStatuses = statuses.map((key) => ({ key, count: counted.get(key) ?? 0 }));
  const hasProblem = Object.keys(problems).some((field) => field !== 'q');
  return (
    <details class="filters" open={hasProblem}>
      <summary>
        {t.filters}
        {chosen > 0 && ` (${chosen})`}
      </summary>
      <div class="filter-panel">
        <Choices
          field="status"
          written={written}
          counts={allStatuses}
          isCounted={facets.status !== undefined}
          isShort
        />
        <Choices field="cpv" written={written} counts={facets.cpv ?? []} isCounted={facets.cpv !== undefined} />
        <Choices
          field="region"
          written={written}
          counts={facets.region ?? []}
          isCounted={facets.region !== undefined}
        />
        <fieldset>
          <legend>{t.group.buyer}</legend>
          <TextField field="buyer" label={t.buyerHint} search={search} problems={problems} />
        </fieldset>
        <Range name="value" fields={['amountFrom', 'amountTo']} search={search} problems={problems} />
        <Range name="created" fields={['createdFrom', 'createdTo']} search={search} problems={problems} />
        <p class="buttons">
          <button class="button primary" form={FORM}>
            {t.show}
          </button>
        </p>
      </div>
    </details>
  );
}

interface ChoicesProps {
  readonly field: 'status' | 'cpv' | 'region';
  readonly written: Search;
  /** What can be chosen, with the number of tenders that it has. */
  readonly counts: readonly Facet[];
  readonly isCounted: boolean;
  /** Whether all choices are few enough to be shown. */
  readonly isShort?: boolean;
}

/** A list of choices. Those that were chosen are always shown, the largest others before the rest. */
function Choices({ field, written, counts, isCounted, isShort = false }: ChoicesProps): VNode | null {
  const { lang } = usePage();
  const t = SEARCH[lang];
  const chosen = valuesOf(written, field);
  const unlisted = chosen.filter((value) => !counts.some(({ key }) => key === value));
  const all = [...counts, ...unlisted.map((key) => ({ key, count: undefined }))];
  if (all.length === 0) return null;
  const isFirst = ({ key }: { key: string }, n: number): boolean =>
    isShort || n < CHOICES_SHOWN || chosen.includes(key);
  const [first, rest] = [all.filter(isFirst), all.filter((one, n) => !isFirst(one, n))];
  const choice = ({ key, count }: { readonly key: string; readonly count?: number | undefined }): VNode => (
    <li key={key}>
      <label>
        <input type="checkbox" name={field} value={key} form={FORM} checked={chosen.includes(key)} />
        <span>{choiceWords(field, key, lang)}</span>
        {isCounted && count !== undefined && <span class="count">{formatNumber(count, lang)}</span>}
      </label>
    </li>
  );
  return (
    <fieldset>
      <legend>{t.group[field]}</legend>
      <ul class="choice-list">{first.map(choice)}</ul>
      {rest.length > 0 && (
        <details>
          <summary class="small">{t.more(rest.length)}</summary>
          <ul class="choice-list">{rest.map(choice)}</ul>
        </details>
      )}
    </fieldset>
  );
}

const choiceWords = (field: ChoicesProps['field'], key: string, lang: 'uk' | 'en'): string =>
  field === 'status' ? statusWords(key, lang) : field === 'cpv' ? cpvWords(key, lang) : regionName(key, lang);

interface FieldProps {
  readonly search: AskedSearch;
  readonly problems: SearchProblems;
}

/** Two fields, from and to. */
function Range({
  name,
  fields: [from, to],
  ...rest
}: FieldProps & { readonly name: 'value' | 'created'; readonly fields: readonly [Field, Field] }): VNode {
  const { lang } = usePage();
  const t = SEARCH[lang];
  return (
    <fieldset>
      <legend>{t.group[name]}</legend>
      <div class="field-pair">
        <TextField field={from} label={t.from} {...rest} />
        <TextField field={to} label={t.to} {...rest} />
      </div>
    </fieldset>
  );
}

function TextField({
  field,
  label,
  search: { written, asked },
  problems,
}: FieldProps & { readonly field: Field; readonly label: string }): VNode {
  const { lang } = usePage();
  const problem = problems[field];
  const id = inputId(field);
  const error = `e-${field}`;
  const value = written[field];
  // A field for days would hide what is no day.
  const isDay = field.startsWith('created') && (value === undefined || asked[field]?.length === 10);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={field}
        form={FORM}
        value={isDay ? asked[field] : value}
        {...(isDay ? { type: 'date' } : {})}
        {...(field.startsWith('amount') ? { inputMode: 'decimal' as const } : {})}
        {...(problem === undefined ? {} : { 'aria-invalid': 'true' as const, 'aria-describedby': error })}
      />
      {problem !== undefined && (
        <p class="error" id={error}>
          {SEARCH[lang].problem[problem]}
        </p>
      )}
    </div>
  );
}
