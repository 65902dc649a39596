import { clientFrom, until, type Json } from './broker.ts';
import type { TestPortal } from './portal.ts';
import { noRecorder, storyContextAt, type StoryContext } from './story-context.ts';

/** What a page must never say: the words of a value that has no word. */
export const NONSENSE = /\bundefined\b|\bnull\b|\bNaN\b|\[object/;

/** A story whose tenders are looked at on the pages of the portal after every write. */
export interface WatchedStory extends StoryContext {
  /** Faults of the pages so far: address, and what is wrong with it. */
  readonly faults: readonly string[];
  /** Statuses whose pages were looked at, by number of times. */
  readonly seen: ReadonlyMap<string, number>;
}

/** What pages of a tender must not show before its bids are opened, and what they must never show. */
interface Secrets {
  readonly sealed: Set<string>;
  readonly tokens: Set<string>;
}

const PARTS = ['', '/history', '/history/1', '.atom', '/version'];
const LANGUAGES = ['', '/en'];
const WRITES = new Set(['POST', 'PUT', 'PATCH']);

/**
 * Watches a story: each write that the API took is followed by a look at every page of its tender in both languages, once the portal has the
 * state after it. A page has status 200, one `h1` and no nonsense; nothing of a bid while the bids are sealed (P1, P4).
 */
export function watchedStory(gatewayUrl: string, portal: TestPortal): WatchedStory {
  const context = storyContextAt(gatewayUrl);
  const anyone = context.broker(undefined);
  const faults: string[] = [];
  const seen = new Map<string, number>();
  const secretsOf = new Map<string, Secrets>();

  const look = async (id: string): Promise<void> => {
    const { sealed, tokens } = secretsOf.get(id) ?? { sealed: new Set<string>(), tokens: new Set<string>() };
    const tender = await until('the state of the API in the portal', async (): Promise<Json> => {
      const { data } = (await anyone.get(`/tenders/${id}`)).body;
      const version = await fetch(`${portal.url}/tenders/${data.tenderID}/version`);
      return (await version.text()) === data.dateModified && data;
    });
    seen.set(tender.status, (seen.get(tender.status) ?? 0) + 1);
    const pages = await Promise.all(
      LANGUAGES.flatMap((lang) => PARTS.map((part) => `${lang}/tenders/${tender.tenderID}${part}`)).map(
        async (path) => {
          const answer = await fetch(portal.url + path);
          return { path, status: answer.status, text: await answer.text() };
        },
      ),
    );
    // Read after the pages: what is sealed now was sealed when they were made.
    const areSealed = (await anyone.get(`/tenders/${id}`)).body.data.bids === undefined;
    for (const page of pages)
      for (const fault of findFaults(page, [...tokens, ...(areSealed ? sealed : [])]))
        faults.push(`${page.path} in ${tender.status}: ${fault}`);
  };

  return {
    recorder: noRecorder,
    faults,
    seen,
    broker(key) {
      const client = context.broker(key);
      return clientFrom(async (method, path, options) => {
        const answer = await client.request(method, path, options);
        const id = answer.status < 300 && WRITES.has(method) ? findTenderId(path, answer.body) : undefined;
        if (id === undefined) return answer;
        const secrets = secretsOf.get(id) ?? { sealed: new Set(), tokens: new Set() };
        secretsOf.set(id, secrets);
        collect(secrets, path, answer.body);
        await look(id);
        return answer;
      });
    },
  };
}

/** The id of the tender that a request has changed. Undefined: none, or one that nobody may see. */
function findTenderId(path: string, body: Json): string | undefined {
  const [, below] = /\/tenders\/([0-9a-f]{32})/.exec(path) ?? [];
  if (below !== undefined) return below;
  return path.startsWith('/tenders') && body.data.status.startsWith('active.') ? body.data.id : undefined;
}

/** Remembers tokens of every answer, and ids and amounts of bids. */
function collect({ sealed, tokens }: Secrets, path: string, body: Json): void {
  for (const token of Object.values(body?.access ?? {})) tokens.add(String(token));
  if (!/\/bids(?:\/[0-9a-f]{32})?(?:\?|$)/.test(path)) return;
  sealed.add(body.data.id);
  const values: Json[] = [body.data.value, ...(body.data.lotValues ?? []).map(({ value }: Json) => value)];
  for (const { amount } of values.filter((value) => value?.amount !== undefined))
    for (const locale of ['uk-UA', 'en-GB']) sealed.add(amount.toLocaleString(locale, { minimumFractionDigits: 2 }));
}

function findFaults(
  { path, status, text }: { readonly path: string; readonly status: number; readonly text: string },
  secrets: readonly string[],
): readonly string[] {
  const headings = text.match(/<h1/g)?.length ?? 0;
  const nonsense = NONSENSE.exec(text)?.[0];
  return [
    ...(status === 200 ? [] : [`status ${status}`]),
    ...(!text.startsWith('<!doctype') || headings === 1 ? [] : [`${headings} h1`]),
    ...(nonsense === undefined ? [] : [`says ${nonsense}`]),
    ...secrets.filter((secret) => text.includes(secret)).map((secret) => `shows ${secret}`),
    ...(path.endsWith('/version') || text.length > 200 ? [] : ['nearly empty']),
  ];
}
