import { timeLeft, type Language } from '../src/time-left.ts';

// The one script of all pages. A function acts only where its attribute stands; every page is complete without it. It stores nothing.

interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (markup: string) => string }): { createHTML(markup: string): string };
}

/** Only answers of the page's own origin become markup; where browsers know Trusted Types, nothing else can (portal.md 2.5). */
const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('page', {
  createHTML: (markup) => markup,
});

async function readDocument(path: string, init: RequestInit = {}): Promise<Document> {
  const address = new URL(path, location.href);
  if (address.origin !== location.origin) throw new Error('a page reads its own origin only');
  const answer = await fetch(address, { ...init, headers: { accept: 'text/html' } });
  const text = await answer.text();
  if (!answer.ok && init.method === undefined) throw new Error(`the page answered ${answer.status}`);
  return new DOMParser().parseFromString(policy?.createHTML(text) ?? text, 'text/html');
}

function each<T extends HTMLElement>(selector: string, act: (element: T) => void): void {
  for (const element of document.querySelectorAll<T>(selector)) act(element);
}

/** Calls `ask` again and again while the page is visible; after failures the pause doubles, up to eight times. */
function askAgain(ask: () => Promise<boolean>, pauseMs: () => number): void {
  let failures = 0;
  const plan = (): void => void setTimeout(() => void round(), pauseMs() * 2 ** Math.min(failures, 3));
  const round = async (): Promise<void> => {
    let goesOn = true;
    if (!document.hidden) {
      try {
        goesOn = await ask();
        failures = 0;
      } catch {
        failures += 1;
      }
    }
    if (goesOn) plan();
  };
  plan();
}

const language: Language = document.documentElement.lang === 'uk' ? 'uk' : 'en';
const serverMs = Date.parse(document.body.dataset['now'] ?? '');
/** The time of the page's server: clocks of visitors are wrong. In a sandbox it is the clock of the tender. */
const nowMs = (): number => (Number.isNaN(serverMs) ? Date.now() : serverMs + performance.now());

each<HTMLTimeElement>('time[data-until]', (time) => {
  const untilMs = Date.parse(time.dateTime);
  const show = (): void => {
    time.textContent = timeLeft(untilMs - nowMs(), language);
    if (untilMs > nowMs()) setTimeout(show, 1000 - (nowMs() % 1000));
  };
  show();
});

const SLOW_MS = 30_000;
const FAST_MS = 5000;
const FAST_BEFORE_MS = 120_000;

/** `data-version`: the address of the newest version; `data-shown`: the one shown; `data-deadline`: when the step ends. */
each('[data-version]', (region) => {
  const { version = '', shown, deadline = '' } = region.dataset;
  const pauseMs = (): number => (Math.abs(Date.parse(deadline) - nowMs()) < FAST_BEFORE_MS ? FAST_MS : SLOW_MS);
  askAgain(async () => {
    const answer = await fetch(version);
    if (!answer.ok) throw new Error(`the version answered ${answer.status}`);
    if ((await answer.text()) === shown) return true;
    for (const notice of region.querySelectorAll<HTMLElement>('[hidden]')) notice.hidden = false;
    return false;
  }, pauseMs);
});

/**
 * `data-refresh`: seconds. The button that pauses names the part in `data-pauses` and has its other words in `data-other`; the page has it from
 * the beginning, so that nothing moves when this script comes.
 */
each('[data-refresh]', (part) => {
  let isPaused = false;
  const button = document.querySelector<HTMLElement>(`[data-pauses="${part.id}"]`);
  button?.addEventListener('click', () => {
    isPaused = !isPaused;
    [button.textContent, button.dataset['other']] = [button.dataset['other'] ?? '', button.textContent];
  });
  askAgain(
    async () => {
      if (isPaused) return true;
      const fresh = (await readDocument(location.href)).querySelector(`#${part.id}`);
      if (fresh !== null && !part.contains(document.activeElement)) part.replaceChildren(...fresh.childNodes);
      return true;
    },
    () => Number(part.dataset['refresh']) * 1000,
  );
});

/**
 * `data-append`: the id of the part that takes what the answer has in its own part; `data-renew`: of one that becomes that of the answer, as
 * the form does.
 */
each<HTMLFormElement>('form[data-append]', (form) => {
  form.addEventListener('submit', (event) => {
    const id = form.dataset['append'];
    if (id === undefined) return;
    event.preventDefault();
    void append(form, id, event.submitter);
  });
});

async function append(form: HTMLFormElement, id: string, submitter: HTMLElement | null): Promise<void> {
  const fields = [...new FormData(form, submitter)].flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value]] : [],
  );
  const buttons = [...form.querySelectorAll('button')];
  for (const button of buttons) button.disabled = true;
  try {
    const body = new URLSearchParams(fields);
    const answer = await readDocument(form.getAttribute('action') ?? '', { method: 'POST', body });
    const [part, added] = [document.getElementById(id), answer.getElementById(id)];
    if (part === null || added === null) throw new Error('the answer has no such part');
    const [first] = [...added.children];
    part.append(...added.childNodes);
    for (const renewed of [form.id, form.dataset['renew'] ?? ''])
      document.getElementById(renewed)?.replaceChildren(...(answer.getElementById(renewed)?.childNodes ?? []));
    if (first instanceof HTMLElement) {
      first.tabIndex = -1;
      first.focus();
    }
  } catch {
    // Without the script the form does the same.
    delete form.dataset['append'];
    for (const button of buttons) button.disabled = false;
    form.requestSubmit(submitter);
  }
}

const COPIED_MS = 2000;

/** `data-copy`: the id of what is copied; `data-copied`: what the button says after it. */
document.addEventListener('click', (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-copy]') : null;
  if (button === null) return;
  const source = document.getElementById(button.dataset['copy'] ?? '');
  const label = button.textContent;
  void navigator.clipboard.writeText(source?.textContent ?? '').then(() => {
    button.textContent = button.dataset['copied'] ?? '';
    setTimeout(() => {
      button.textContent = label;
    }, COPIED_MS);
  });
});

/** `data-filter`: a selector of the entries; those without all words of the box are hidden, and groups without entries. */
each<HTMLInputElement>('input[data-filter]', (box) => {
  box.addEventListener('input', () => {
    const words = box.value.toLowerCase().split(/\s+/);
    each(box.dataset['filter'] ?? '', (entry) => {
      const text = entry.textContent.toLowerCase();
      entry.hidden = !words.every((word) => text.includes(word));
    });
    each('[data-filter-group]', (group) => {
      group.hidden = group.querySelector(`${box.dataset['filter']}:not([hidden])`) === null;
    });
  });
});
