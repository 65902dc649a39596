import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { until } from '../support/broker.ts';
import { startTestPortal } from '../support/portal.ts';
import { memoryBytes } from './process-memory.ts';

const PAGES = 20_000;
const VISITORS = 8;
const MEGABYTE = 1_000_000;
const DAY = 'UA-2026-03-02';
const SERIAL_DIGITS = 6;
const SERIAL = new RegExp(`${DAY}-(\\d{${SERIAL_DIGITS}})|/tenders/([0-9a-f]{32})`);

/** A tender of a running system, which stands for all others. */
export interface Pattern {
  readonly gatewayUrl: string;
  readonly id: string;
  readonly number: string;
}

/** Addresses of the pages of all kinds in turn. Each number has a tender of its own. */
function formatPath(n: number): string {
  const tender = `/en/tenders/${formatNumber(n)}`;
  const kinds = ['/', `/en/tenders?q=${n}`, tender, `${tender}/history`, '/en/statistics', tender.replace('/en', '')];
  return kinds[n % kinds.length] ?? '/';
}

const formatNumber = (n: number): string => `${DAY}-${String(n).padStart(SERIAL_DIGITS, '0')}`;
const formatId = (serial: string): string => serial.padStart(32, '0');

/**
 * Megabytes of a portal that has shown 20,000 pages, half of them of a tender each: the answers that it keeps change all the time.
 * A double stands before the gateway, because a system needs minutes to publish so many.
 */
export async function memoryOfPages(pattern: Pattern, nodeOptions: string): Promise<number> {
  const api = await startManyTenders(pattern);
  const portal = await startTestPortal(api.url, { NODE_OPTIONS: nodeOptions });
  try {
    let next = 0;
    const visit = async (): Promise<void> => {
      for (let n = (next += 1); n <= PAGES; n = next += 1) {
        // A page whose calls come late, as on a machine with other work, is 503 for that moment.
        await until(`the page ${formatPath(n)}`, async () => {
          const answer = await fetch(portal.url + formatPath(n));
          await answer.arrayBuffer();
          return answer.status === 200 ? true : undefined;
        });
      }
    };
    await Promise.all(Array.from({ length: VISITORS }, visit));
    return memoryBytes(portal.pid, 'VmRSS') / MEGABYTE;
  } finally {
    await portal.stop();
    await api.stop();
  }
}

interface ManyTenders {
  readonly url: string;
  stop(): Promise<void>;
}

/** Answers as the gateway does, with every tender equal to one of it but for id and number. Each answer of the gateway is asked for once. */
async function startManyTenders({ gatewayUrl, id, number }: Pattern): Promise<ManyTenders> {
  const known = new Map<string, Promise<string>>();
  const fetchText = async (path: string): Promise<string> => {
    const text = known.get(path) ?? fetch(gatewayUrl + path).then(async (answer) => answer.text());
    known.set(path, text);
    return text;
  };
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    const [, serial, hex = ''] = SERIAL.exec(path) ?? [];
    const wanted = serial ?? hex.slice(-SERIAL_DIGITS);
    const asked = path
      .replace(/q=\d+&?/, '')
      .replaceAll(`${DAY}-${wanted}`, number)
      .replaceAll(formatId(wanted), id);
    void fetchText(asked).then((text) => {
      response.setHeader('content-type', 'application/json').setHeader('x-sandbox', '1');
      response.end(text.replaceAll(number, `${DAY}-${wanted}`).replaceAll(id, formatId(wanted)));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
