import { join } from 'node:path';
import { startAuctionRoom } from './auction-room.ts';
import { buildWithProgress, fail, hasFlag, onStopSignal, print } from './local-run.ts';
import { auctionRoomPorts, portFamily, portsInUse, PortInUseError } from './ports.ts';
import { ensureDatabases } from './postgres.ts';
import { DATA_DIR, requireSandbox } from './sandbox.ts';
import { loadOrCreateSecrets } from './secrets.ts';

const HELP = `npm run auction           the auction room beside npm start, which must be running: its pages on the port of the gateway + 9,
                          the page of operators on + 10
DATA_DIR=...              the data folder of that npm start; .local/ by default`;

const DATABASE = 'auction_room';
/** User name of the page of operators, with the key of the sandbox as password. */
const OPERATOR_KEY_SHA256 = '4194d1706ed1f408d5e02d672777019f4d5385c766a8c6ca8acba3167d36a7b9';

async function run(): Promise<void> {
  const { gatewayPort } = requireSandbox();
  const ports = portFamily(gatewayPort);
  const { pages, operators } = auctionRoomPorts(gatewayPort);
  const [taken] = await portsInUse({ pages, operators });
  if (taken !== undefined) throw new PortInUseError(...taken);
  await buildWithProgress();
  const secrets = await loadOrCreateSecrets(DATA_DIR);
  const { databasePasswords, auctionRoom } = secrets;
  const urlOf = (database: string): string =>
    `postgresql://postgres:${databasePasswords.postgres}@127.0.0.1:${ports.postgres}/${database}`;
  await ensureDatabases({ urlOf }, { [DATABASE]: auctionRoom.database });
  const logFile = join(DATA_DIR, 'logs', 'auction-room.log');
  const gatewayUrl = `http://127.0.0.1:${ports.gateway}`;
  const room = await startAuctionRoom({
    databaseUrl: `postgresql://${DATABASE}:${auctionRoom.database}@127.0.0.1:${ports.postgres}/${DATABASE}`,
    gatewayUrl,
    port: pages,
    operatorPort: operators,
    secrets: `1:${auctionRoom.master}`,
    logFile,
    env: { OPERATOR_KEYS: `administrator:${OPERATOR_KEY_SHA256}` },
  });
  print(
    [
      '',
      `  Auctions   http://127.0.0.1:${pages}/`,
      `  Operators  http://127.0.0.1:${operators}/   user name administrator, password administrator`,
      `  Log        ${logFile}`,
      '',
      `  An auction to watch: npm run procedure -- --room http://127.0.0.1:${pages}`,
      '  Ctrl-C stops the room; the data stays.',
      '',
    ].join('\n'),
  );
  onStopSignal(() => void room.stop().then(() => process.exit(0)));
  const { code } = await room.child.exited;
  fail(`The auction room ended with code ${code}: ${logFile}`);
}

if (hasFlag('--help')) print(HELP);
else await run().catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
