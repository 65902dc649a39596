const PLACEHOLDER = /<(id|token|transfer|host|key|signature|seal|number|time) (\d+)>/g;

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** When the stories of all recordings begin. */
const BEGIN_MS = Date.UTC(2026, 4, 4, 7);
/** Kyiv in summer. */
const OFFSET_MS = 3 * 3_600_000;

/** Days after the beginning of a story, by the member in which a time is seen first: later ones come last. */
const DAYS_BY_MEMBER: readonly (readonly [member: RegExp, days: number])[] = [
  [/"enquiryPeriod": \{[^}]*"endDate": "$/, 10],
  [/"tenderPeriod": \{[^}]*"startDate": "$/, 10],
  [/"tenderPeriod": \{[^}]*"endDate": "$/, 20],
  [/"bidsSeal": \{[^}]*"date": "$/, 20],
  [/"auctionPeriod": \{[^}]*"shouldStartAfter": "$/, 20],
  [/"auctionPeriod": \{[^}]*"startDate": "$/, 21],
  [/"auctionPeriod": \{[^}]*"endDate": "$/, 21.1],
  [/"awardPeriod": \{[^}]*"startDate": "$/, 21.1],
  [/"complaintPeriod": \{[^}]*"startDate": "$/, 22],
  [/"complaintPeriod": \{[^}]*"endDate": "$/, 27],
  [/"awardPeriod": \{[^}]*"endDate": "$/, 27],
  [/"dateSigned": "$/, 28],
];

/** A recording with values in place of `<id 1>`, `<time 2>` and the like: the same placeholder always has the same value. */
export function fillPlaceholders(recording: string): string {
  const days = new Map<string, number>();
  return recording.replace(PLACEHOLDER, (_placeholder, name: string, number: string, offset: number) => {
    const n = Number(number);
    if (name !== 'time') return VALUES[name]?.(n) ?? '';
    const known = days.get(number) ?? findDays(recording.slice(Math.max(0, offset - 200), offset));
    days.set(number, known);
    return timeText(BEGIN_MS + known * DAY_MS + n * MINUTE_MS);
  });
}

export const RECORDED_AT = timeText(BEGIN_MS);

function findDays(before: string): number {
  return DAYS_BY_MEMBER.find(([member]) => member.test(before))?.[1] ?? 0;
}

function timeText(unixMs: number): string {
  return `${new Date(unixMs + OFFSET_MS).toISOString().replace('Z', '')}000+03:00`;
}

/** Hex digits that look random and are the same in every run. */
function makeHex(kind: number, n: number, digits: number): string {
  let state = (kind * 7_919 + n * 104_729 + 1) % 2_147_483_647;
  let text = '';
  while (text.length < digits) {
    state = (state * 48_271) % 2_147_483_647;
    text += (state % 16).toString(16);
  }
  return text;
}

const VALUES: Readonly<Record<string, (n: number) => string>> = {
  id: (n) => makeHex(1, n, 32),
  token: (n) => makeHex(2, n, 32),
  transfer: (n) => makeHex(3, n, 32),
  host: () => 'https://api.example.org',
  key: (n) => makeHex(4, n, 8),
  signature: (n) => makeHex(5, n, 64),
  seal: (n) => `sha256:${makeHex(6, n, 64)}`,
  number: (n) => `UA-2026-05-04-${String(n).padStart(6, '0')}`,
};
