import { createClient, type ProcurementClient } from '@procurement/client';
import { playProcedure } from './procedure.ts';

/** What the gateway answers at `/landing/sandbox.json`: the keys that a sandbox has, none elsewhere. */
interface SandboxDescription {
  readonly keys: readonly { readonly name: string; readonly group: string }[];
}

interface FoundCounts {
  readonly total?: { readonly value: number; readonly relation: 'eq' | 'gte' };
  readonly facets?: { readonly status?: readonly { readonly key: string; readonly count: number }[] };
}

const anyone = clientOf();

function clientOf(key?: string): ProcurementClient {
  return createClient({ url: location.origin, ...(key === undefined ? {} : { key }) });
}

function element<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.querySelector<T>(`#${id}`);
  if (found === null) throw new Error(`the page has no #${id}`);
  return found;
}

function listItem(...content: readonly (string | Node)[]): HTMLLIElement {
  const item = document.createElement('li');
  item.append(...content);
  return item;
}

async function showCounts(): Promise<void> {
  const counts = element('counts');
  try {
    const answer = await fetch('/api/2.5/search?mode=_all_&limit=1&total=1&facets=status');
    if (!answer.ok) throw new Error(`the search answered ${answer.status}`);
    const { total, facets }: FoundCounts = await answer.json();
    const statuses = (facets?.status ?? []).map(({ key, count }) => `${key} ${count}`);
    const more = total?.relation === 'gte' ? ' or more' : '';
    counts.textContent = `${total?.value ?? 0}${more} published${statuses.length > 0 ? `: ${statuses.join(', ')}` : ''}.`;
  } catch {
    counts.textContent = 'The counts cannot be read now.';
  }
}

async function showSandbox(): Promise<void> {
  const answer = await fetch('/landing/sandbox.json');
  const { keys }: SandboxDescription = await answer.json();
  if (keys.length === 0) return;
  for (const { name, group } of keys) {
    const code = document.createElement('code');
    code.textContent = name;
    element('keys').append(listItem(code, ` (${group})`));
  }
  const button = element<HTMLButtonElement>('play');
  button.addEventListener('click', () => void play(button));
  element('sandbox').hidden = false;
}

async function play(button: HTMLButtonElement): Promise<void> {
  const steps = element('steps');
  steps.replaceChildren();
  button.disabled = true;
  try {
    const bidders = [clientOf('broker2'), clientOf('broker3')] as const;
    const players = { buyer: clientOf('broker1'), bidders, auction: clientOf('auction'), anyone };
    await playProcedure(players, (text, path) => {
      const link = document.createElement('a');
      link.href = `/api/2.5${path}?opt_pretty=1`;
      link.textContent = text;
      steps.append(listItem(link));
    });
  } catch (error) {
    const item = listItem(`It stopped here: ${error instanceof Error ? error.message : String(error)}`);
    item.className = 'failed';
    steps.append(item);
  }
  button.disabled = false;
  await showCounts();
}

await Promise.all([showCounts(), showSandbox()]);
