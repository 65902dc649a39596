import type { Ports } from './ports.ts';

/** The sandbox keys that the gateway creates (rulings R14). Key and name are equal. */
const SANDBOX_KEYS = [
  ['broker1 broker2 broker3', 'brokers', '1234', 'publish, ask, bid'],
  ['brokert', 'brokers', '12t', 'the same, on test tenders only'],
  ['brokerx', 'brokers', '1234x', 'has left: others may take its objects over'],
  ['auction', 'auction', '', 'reads and reports auctions'],
  ['chronograph', 'chronograph', '', 'schedules'],
  ['reviewer', 'reviewers', '', 'decides complaints'],
  ['administrator', 'Administrator', '', 'corrects'],
  ['bot', 'bots', '', 'adds documents'],
] as const;

/** The message after a start: where to look first, requests to paste, the other addresses, and the sandbox keys. */
export function startupMessage(
  { ports, logVkey }: { readonly ports: Ports; readonly logVkey: string },
  nowMs: number,
  hasPortal: boolean,
): string {
  const portalUrl = `http://127.0.0.1:${ports.portal}`;
  const gatewayUrl = `http://127.0.0.1:${ports.gateway}`;
  const keyRows = SANDBOX_KEYS.map(
    ([keys, group, levels, what]) => `  ${keys.padEnd(26)}${group.padEnd(15)}${levels.padEnd(6)}${what}`,
  );
  return [
    '',
    ...(hasPortal
      ? [
          `  Portal     ${portalUrl}/en      (українською: ${portalUrl}/)`,
          `  Play       ${portalUrl}/en/play   a procedure, step by step`,
        ]
      : []),
    `  Guides     ${gatewayUrl}/docs/guides      Reference  ${gatewayUrl}/docs`,
    '',
    '  Publish a tender, read the feed, search, follow the changes for five seconds, list all operations:',
    '',
    ...exampleRequests(`${gatewayUrl}/api/2.5`, nowMs).flatMap((request) => [request, '']),
    `  API        ${gatewayUrl}/api/2.5   (also ${['2.3', '0', '0.1'].map((segment) => `/api/${segment}`).join(', ')})`,
    `  Health     ${gatewayUrl}/health`,
    `  Log        ${gatewayUrl}/log`,
    `             ${logVkey}`,
    '',
    '  Sandbox keys (user name of Basic, without a password)',
    `  ${'key'.padEnd(26)}${'group'.padEnd(15)}${'level'.padEnd(6)}may`,
    ...keyRows,
    `  To take over what brokerx owns: ${gatewayUrl}/docs/guides/tokens`,
    '',
    '  Ctrl-C stops everything; the data stays for the next start.',
    '',
  ].join('\n');
}

/** Commands of a shell. Each ends by itself. */
export function exampleRequests(api: string, nowMs: number): readonly string[] {
  return [
    `curl -sS -u broker1: -H 'Content-Type: application/json' '${api}/tenders?opt_pretty=1' -d '${exampleTender(nowMs)}'`,
    `curl -sS '${api}/tenders?mode=_all_&opt_pretty=1'`,
    `curl -sS '${api}/search?q=${encodeURIComponent('папір')}&mode=_all_&opt_pretty=1'`,
    // 28: the time is over.
    `curl -sSN --max-time 5 '${api}/stream?mode=_all_&offset=0' 2>/dev/null || [ $? = 28 ]`,
    `curl -sS '${api}/spore?opt_pretty=1'`,
  ];
}

const HOUR_MS = 3_600_000;

/** One line of JSON without single quotes. Its periods end in 24 and 48 hours. */
function exampleTender(nowMs: number): string {
  const ahead = (hours: number): string => new Date(nowMs + hours * HOUR_MS).toISOString().slice(0, 19) + 'Z';
  return JSON.stringify({
    data: {
      title: 'Папір для друку',
      mode: 'test',
      procuringEntity: {
        name: 'Ліцей № 27',
        kind: 'general',
        identifier: { scheme: 'UA-EDR', id: '25733061', legalName: 'Ліцей № 27' },
        address: { countryName: 'Україна', locality: 'Рівне' },
        contactPoint: { name: 'Олена Бондар', telephone: '+380560000001' },
      },
      value: { amount: 500 },
      minimalStep: { amount: 35 },
      enquiryPeriod: { endDate: ahead(24) },
      tenderPeriod: { endDate: ahead(48) },
      items: [
        {
          description: 'Папір А4',
          quantity: 5,
          classification: { scheme: 'CPV', id: '30197630-1', description: 'Папір для друку' },
          unit: { code: 'PK', name: 'пачка' },
        },
      ],
    },
  });
}
