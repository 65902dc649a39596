import type { ComponentChildren, VNode } from 'preact';
import { Icon, Notice, OwnLink } from '../../parts/basics.tsx';
import { pathIn, usePage } from '../../parts/page-context.ts';
import type { PlayedStep } from '../../play/play-steps.ts';
import { writeRun, type Run } from '../../play/run.ts';
import { KEYS } from '../../play/keys.ts';
import { STEPS } from '../../play/steps.ts';
import { StepView } from './step-view.tsx';
import { PLAY, type PlayFault } from './texts.ts';

interface PlayProps {
  readonly run: Run;
  /** Played by this request: the last ones that are done. */
  readonly steps: readonly PlayedStep[];
  readonly fault: PlayFault | undefined;
}

/** Faults after which the same run goes on. */
const REPEATABLE: readonly (PlayFault | undefined)[] = [undefined, 'busy', 'away', 'foreign'];
const FORM = 'play-form';
const STEPS_PART = 'play-steps';
const PROGRESS = 'play-progress';

export function PlayView(props: PlayProps): VNode {
  const { run, steps, fault } = props;
  const { lang } = usePage();
  const t = PLAY[lang];
  const isDone = run.step === STEPS.length && fault === undefined;
  const firstNumber = run.step - steps.filter(({ stop }) => stop === undefined).length + 1;
  return (
    <>
      <div class="page-head">
        <h1>{t.title}</h1>
        <p class="lead">{t.lead}</p>
      </div>
      <div class="columns columns-8-4">
        <div>
          {run.step === 0 && steps.length === 0 && fault === undefined && <Introduction />}
          <div id={STEPS_PART} class="play-steps">
            {steps.map((step, n) => (
              <StepView key={step.name} step={step} number={firstNumber + n} />
            ))}
            {fault !== undefined && (
              <Notice tone={fault === 'busy' || fault === 'away' ? 'warn' : 'bad'}>
                <p>
                  <strong>{t.faults[fault].title}</strong>
                </p>
                <p>{t.faults[fault].text}</p>
              </Notice>
            )}
            {isDone && <End run={run} />}
          </div>
          <form
            id={FORM}
            class="play-bar"
            method="post"
            action={pathIn(lang, '/play')}
            data-append={STEPS_PART}
            data-renew={PROGRESS}
          >
            <Bar {...props} />
          </form>
        </div>
        <aside class="card sticky" id={PROGRESS} aria-label={t.path}>
          <Progress run={run} />
        </aside>
      </div>
    </>
  );
}

/** What will happen, and who takes part with which key. */
function Introduction(): VNode {
  const { lang } = usePage();
  const t = PLAY[lang];
  return (
    <div>
      <div class="prose">
        {t.how.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </div>
      <section id="players">
        <h2>{t.who}</h2>
        <table class="data-table rows">
          <thead>
            <tr>
              <th scope="col">{t.role}</th>
              <th scope="col">{t.key}</th>
              <th scope="col">{t.may}</th>
            </tr>
          </thead>
          <tbody>
            {(['buyer', 'seller1', 'seller2', 'auction'] as const).map((player) => (
              <tr key={player}>
                <td data-name={t.role}>{t.players[player]}</td>
                <td data-name={t.key}>
                  <code>{KEYS[player]}</code>
                </td>
                <td data-name={t.may}>{t.roles[player]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

/** What can be done next. It stays in view while the steps are read. */
function Bar({ run, fault }: PlayProps): VNode {
  const { lang } = usePage();
  const t = PLAY[lang];
  const next = STEPS[run.step];
  if (next === undefined || !REPEATABLE.includes(fault))
    return (
      <OwnLink to="/play" class="button primary">
        {t.again}
      </OwnLink>
    );
  const label = fault !== undefined ? t.repeat : run.step === 0 ? t.begin : t.next;
  return (
    <>
      <input type="hidden" name="run" value={writeRun(run)} />
      <button class="button primary" name="do" value="next">
        {label}
        <Icon name="next" />
      </button>
      <button class="button" name="do" value="rest">
        {t.rest}
      </button>
      <span class="small quiet">
        {t.stepOf(run.step + 1)}: {t.steps[next.name].title}
      </span>
    </>
  );
}

/** The ten steps, which of them are done, and the tender. */
function Progress({ run: { step, tender } }: { readonly run: Run }): VNode {
  const { lang } = usePage();
  const t = PLAY[lang];
  return (
    <>
      <h2 class="small">{step === 0 ? t.path : t.stepOf(step)}</h2>
      <ol class="progress">
        {STEPS.map(({ name }, n) => (
          <li
            key={name}
            class={n < step ? 'done' : n === step ? 'current' : undefined}
            aria-current={n === step ? 'step' : undefined}
          >
            {n < step && <Icon name="tick" />}
            {t.steps[name].title}
            {n < step && <span class="away"> ({t.done})</span>}
          </li>
        ))}
      </ol>
      {tender !== undefined && (
        <p class="small">
          <OwnLink to={`/tenders/${tender.number}`}>{t.tender}</OwnLink> <span class="number">{tender.number}</span>
        </p>
      )}
    </>
  );
}

function End({ run: { tender } }: { readonly run: Run }): VNode | null {
  const { lang, site } = usePage();
  const t = PLAY[lang];
  if (tender === undefined) return null;
  const page = `/tenders/${tender.number}`;
  const links: readonly ComponentChildren[] = [
    <OwnLink to={page} class="button">
      {t.tender}
    </OwnLink>,
    <OwnLink to={`${page}/history`} class="button">
      {t.history}
    </OwnLink>,
    <a class="button" href={`${site.apiUrl}/api/ocds/records/${tender.id}?opt_pretty=1`}>
      {t.record}
    </a>,
  ];
  return (
    <section class="play-end" aria-label={t.end.title}>
      <Notice tone="good">
        <p>
          <strong>{t.end.title}</strong>
        </p>
        <p>{t.end.text}</p>
        <p class="buttons">{links}</p>
      </Notice>
    </section>
  );
}
