import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { exportTenders, readLines, type ExportOptions } from '@procurement/ocds/export';
import { OCDS_DEFAULTS, settingsProblems, type OcdsSettings } from '@procurement/ocds/settings';

// `npm run --silent ocds:export -- [--kind releases|records] [--form lines|package] < tenders.jsonl > releases.jsonl`
// Settings are those of docs/spec/ocds.md 5; without OCDS_OCID_PREFIX, those of a sandbox. Reports the rate on stderr.

const CHUNK_CHARACTERS = 65_536;
const MIB = 1_048_576;
const { env } = process;
const { values } = parseArgs({
  options: { kind: { type: 'string', default: 'releases' }, form: { type: 'string', default: 'lines' } },
});

function readSettings(): OcdsSettings {
  return {
    publicBaseUrl: env['PUBLIC_BASE_URL'] ?? 'http://127.0.0.1:8080',
    ocidPrefix: env['OCDS_OCID_PREFIX'] ?? OCDS_DEFAULTS.sandboxPrefix,
    language: env['OCDS_LANGUAGE'] ?? OCDS_DEFAULTS.language,
    includeTest: env['OCDS_OCID_PREFIX'] === undefined,
    contactPoints: OCDS_DEFAULTS.contactPoints,
    publisher: { name: env['OCDS_PUBLISHER_NAME'] ?? OCDS_DEFAULTS.sandboxPublisher },
    license: env['OCDS_LICENSE'] ?? OCDS_DEFAULTS.license,
  };
}

function requireOption<T extends string>(name: keyof typeof values, allowed: readonly T[]): T {
  const found = allowed.find((value) => value === values[name]);
  if (found === undefined) throw new Error(`--${name}: one of ${allowed.join(', ')}`);
  return found;
}

const counts = { read: 0, written: 0, invalid: 0 };

async function* counted(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) {
    if (line !== '') counts.read += 1;
    yield line;
  }
}

/** Pieces joined into larger writes: a write to a pipe costs as much as the mapping of a small tender. */
async function* joined(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let text = '';
  for await (const piece of pieces) {
    counts.written += 1;
    text += piece;
    if (text.length < CHUNK_CHARACTERS) continue;
    yield text;
    text = '';
  }
  yield text;
}

async function main(): Promise<void> {
  const settings = readSettings();
  const problems = settingsProblems(settings, env['OCDS_OCID_PREFIX'] === undefined);
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const began = performance.now();
  const options: ExportOptions = {
    kind: requireOption('kind', ['releases', 'records']),
    form: requireOption('form', ['lines', 'package']),
    uri: `${settings.publicBaseUrl}/api/ocds/${values.kind}.json`,
    emptyPublishedDate: new Date().toISOString(),
    settings,
    onInvalid: (line, reason) => {
      counts.invalid += 1;
      console.error(`line ${line}: ${reason}`);
    },
  };
  await pipeline(Readable.from(joined(exportTenders(counted(readLines(process.stdin)), options))), process.stdout);
  const seconds = (performance.now() - began) / 1000;
  const memory = `peak memory ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB, heap ${Math.round(process.memoryUsage().heapUsed / MIB)} MiB`;
  const { user, system } = process.cpuUsage();
  const perCpu = Math.round((counts.read / (user + system)) * 1e6);
  const rate = `${Math.round(counts.read / seconds)} tenders per second, ${perCpu} per second of processor`;
  console.error(`${counts.read} read, ${counts.invalid} invalid, ${seconds.toFixed(1)} s, ${rate}, ${memory}`);
  if (counts.invalid > 0) process.exitCode = 1;
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
