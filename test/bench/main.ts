import { startStack, type Stack } from '@procurement/local-stack/stack';
import { broker } from '../support/broker.ts';
import { plainTender } from '../support/tender.ts';
import { inTurns } from './load.ts';
import { startReference } from './reference.ts';

/** One line of the result: what was measured, the ratio, and the bar it has to reach (architecture.md, Quality bars). */
interface Row {
  readonly what: string;
  readonly ratio: number;
  readonly atLeast: number;
  readonly figures: string;
}

// Benchmarks prove ratios inside one run: absolute rates of a shared machine say nothing. `npm run bench` prints every row
// and fails when one misses its bar.
async function reads(stack: Stack): Promise<Row[]> {
  const created = await broker(stack.gatewayUrl, 'broker1', '2.5').post('/tenders', plainTender());
  const path = `/tenders/${created.body.data.id}`;
  const body = (await broker(stack.gatewayUrl, undefined, '2.5').get(path)).text;
  const reference = await startReference(body);
  try {
    const rates = await inTurns({
      reference: { url: `${reference.url}/constant` },
      'segment 2.5': { url: `${stack.gatewayUrl}/api/2.5${path}` },
      'segment 2.3': { url: `${stack.gatewayUrl}/api/2.3${path}` },
    });
    const size = `${(Buffer.byteLength(body) / 1024).toFixed(1)} KB`;
    const rate = (name: keyof typeof rates): string => `${Math.round(rates[name].perSecond)}/s`;
    return [
      {
        what: `GET one tender (${size}), 2.5 against bare Fastify behind bare http-proxy`,
        ratio: rates['segment 2.5'].perSecond / rates.reference.perSecond,
        atLeast: 0.5,
        figures: `${rate('segment 2.5')} of ${rate('reference')}, p99 ${rates['segment 2.5'].p99Ms} ms`,
      },
      {
        what: 'GET one tender, 2.3 against 2.5',
        ratio: rates['segment 2.3'].perSecond / rates['segment 2.5'].perSecond,
        atLeast: 0.6,
        figures: `${rate('segment 2.3')} of ${rate('segment 2.5')}`,
      },
    ];
  } finally {
    await reference.stop();
  }
}

function print(rows: readonly Row[]): void {
  for (const { what, ratio, atLeast, figures } of rows) {
    const verdict = ratio >= atLeast ? 'holds ' : 'MISSED';
    console.log(`${verdict}  ${ratio.toFixed(2)} (bar ${atLeast.toFixed(2)})  ${what}: ${figures}`);
  }
}

const stack = await startStack();
try {
  const rows = await reads(stack);
  print(rows);
  if (rows.some((row) => row.ratio < row.atLeast)) process.exitCode = 1;
} finally {
  await stack.stop();
}
