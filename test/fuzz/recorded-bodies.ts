import { goldenExchanges } from '../../tools/openapi/recordings.ts';
import { isoInSeconds } from '../support/request-bodies.ts';
import type { RecordedBodies } from './requests.ts';

const DAY_SECONDS = 86_400;
const TIME = /"\d{4}-\d{2}-\d{2}T[^"]*"/g;

/** Bodies of the recorded requests, with times that are ahead, by method and path with the names of parameters. */
export function recordedBodies(): RecordedBodies {
  const bodies = new Map<string, unknown[]>();
  for (const { method, path, request } of goldenExchanges()) {
    if (request === undefined) continue;
    const key = `${method} ${pathTemplateOf(path)}`;
    bodies.set(key, [...(bodies.get(key) ?? []), withTimesAhead(request)]);
  }
  return bodies;
}

/** `/tenders/0a1b.../bids` as `/tenders/{tender_id}/bids`. */
function pathTemplateOf(path: string): string {
  return path.replaceAll(/\/(\w+?)s\/[0-9a-f]{32}/g, (_whole, kind: string) => `/${kind}s/{${kind}_id}`);
}

function withTimesAhead(request: unknown): unknown {
  let days = 0;
  return JSON.parse(
    JSON.stringify(request).replaceAll(TIME, () => JSON.stringify(isoInSeconds((days += 2) * DAY_SECONDS))),
  );
}
