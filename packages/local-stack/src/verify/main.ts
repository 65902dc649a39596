import { parseArgs } from 'node:util';
import { databaseUrl } from '../environment.ts';
import { fail, print } from '../local-run.ts';
import { portFamily, SERVICES, type ServiceName } from '../ports.ts';
import { DATA_DIR, NoSandboxError, requireSandbox } from '../sandbox.ts';
import { loadOrCreateSecrets } from '../secrets.ts';
import { describeDifference, verify } from './verify.ts';

const USAGE = `npm run verify [-- --wait <seconds>]

Compares every view, copy, feed, register and outbox with its owner, while the system runs, and changes nothing. A difference counts
when it is still there after 30 s, or after the given time. Reads what npm start runs on its data folder (DATA_DIR as there), or the databases of
TENDERS_DATABASE_URL, BIDS_DATABASE_URL, AWARDS_DATABASE_URL, DOCUMENTS_DATABASE_URL, AUCTION_DATABASE_URL, REGISTER_DATABASE_URL,
LEDGER_DATABASE_URL and GATEWAY_DATABASE_URL. A role that may read all tables is enough.

Exit code 0: no difference. 1: differences, one line each. 2: wrong usage. 3: a database could not be read, or no sandbox runs.`;

const WAIT_SECONDS = '30';

function databaseSetting(service: ServiceName): string {
  return `${service.toUpperCase()}_DATABASE_URL`;
}

/** The URLs in the environment, else those of the running sandbox. Undefined: some are missing in the environment. */
async function findDatabases(): Promise<((service: ServiceName) => string) | undefined> {
  const missing = SERVICES.filter((service) => process.env[databaseSetting(service)] === undefined);
  if (missing.length === 0) return (service) => String(process.env[databaseSetting(service)]);
  if (missing.length < SERVICES.length) {
    fail(`Not set: ${missing.map(databaseSetting).join(', ')}.`);
    return undefined;
  }
  const ports = portFamily(requireSandbox().gatewayPort);
  const secrets = await loadOrCreateSecrets(DATA_DIR);
  return (service) => databaseUrl(service, { ports, secrets });
}

/** Undefined for wrong usage. */
function waitSeconds(): number | undefined {
  try {
    const options = { wait: { type: 'string', default: WAIT_SECONDS } } as const;
    const seconds = Number(parseArgs({ options }).values.wait);
    return seconds >= 0 ? seconds : undefined;
  } catch {
    return undefined;
  }
}

async function main(): Promise<number> {
  const seconds = waitSeconds();
  if (seconds === undefined) {
    print(USAGE);
    return 2;
  }
  const databases = await findDatabases();
  if (databases === undefined) return 2;
  const onRead = (name: string, rows: number): void => print(`${String(rows).padStart(9)}  ${name}`);
  const differences = await verify({ databaseUrl: databases, waitMs: seconds * 1_000, onRead });
  for (const difference of differences) print(describeDifference(difference));
  print(differences.length === 0 ? 'no difference' : `${differences.length} differences`);
  return differences.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  const text = error instanceof Error ? error.message : String(error);
  fail(error instanceof NoSandboxError ? text : `The databases could not be read: ${text}`);
  process.exitCode = 3;
}
