import type { VNode } from 'preact';
import type { LifeStep, StepState } from '../domain/life-line.ts';
import { visibleText } from '../format/visible-text.ts';
import { translations } from '../texts/translations.ts';
import { Code, Icon, When } from './basics.tsx';
import { usePage } from './page-context.ts';
import type { IconName } from '@procurement/page-style/icons';

const TEXTS = translations({
  uk: {
    title: 'Етапи закупівлі',
    titleOfLot: (lot: string) => `Етапи лота: ${lot}`,
    until: 'до',
    overdue: 'мало завершитися; система опрацьовує',
  },
  en: {
    title: 'Steps of the procurement',
    titleOfLot: (lot: string) => `Steps of the lot: ${lot}`,
    until: 'until',
    overdue: 'should have ended; the system is at work',
  },
});

/** Marks differ by shape too, not by colour alone. */
const MARKS: Readonly<Partial<Record<StepState, IconName>>> = { done: 'tick', stopped: 'cross' };

interface LifeLineProps {
  readonly steps: readonly LifeStep[];
  /** The title of the lot whose life it is. */
  readonly of?: string;
  /** The clock by which steps are late; that of the page unless given. */
  readonly nowMs?: number;
}

/** Steps of a life: what is done, what goes on, and what is to come. */
export function LifeLine({ steps, of, nowMs = usePage().nowMs }: LifeLineProps): VNode {
  const { lang } = usePage();
  const t = TEXTS[lang];
  return (
    <ol class="life-line" aria-label={of === undefined ? t.title : t.titleOfLot(visibleText(of))}>
      {steps.map((step) => (
        <Step key={step.step} nowMs={nowMs} {...step} />
      ))}
    </ol>
  );
}

function Step({ step, state, from, until, nowMs }: LifeStep & { readonly nowMs: number }): VNode {
  const { lang } = usePage();
  const mark = MARKS[state];
  const isOverdue = state === 'current' && until !== undefined && Date.parse(until) <= nowMs;
  const shown = until ?? (state === 'ahead' ? from : undefined);
  return (
    <li class={state} {...(state === 'current' ? { 'aria-current': 'step' as const } : {})}>
      <span class="mark" aria-hidden="true">
        {mark !== undefined && <Icon name={mark} />}
      </span>
      <b>
        <Code list="step" code={step} />
      </b>
      <span class="quiet">
        {isOverdue ? (
          TEXTS[lang].overdue
        ) : (
          <>
            <Code list="stepState" code={state} />
            {shown !== undefined && (state === 'done' || state === 'current' || state === 'ahead') && (
              <>
                {state === 'current' ? ` ${TEXTS[lang].until} ` : ', '}
                <When at={shown} as="short" />
              </>
            )}
          </>
        )}
      </span>
    </li>
  );
}
