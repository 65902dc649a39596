import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** What a folder may contain. Everything else in it is misplaced. */
interface Folder {
  /** Names of files, without endings: `app` allows app.ts and app.test.ts. Absent: any file. */
  readonly files?: readonly string[];
  /** Names of folders, with what they may contain. Absent: none. */
  readonly folders?: Readonly<Record<string, Folder>>;
  /** Where new code belongs, for the message. */
  readonly hint: string;
}

/** A folder of files only. */
const flat = (hint: string): Folder => ({ hint });

const SERVICE_FILES = ['main', 'worker', 'app', 'deps', 'config', 'subscriptions'];
const SERVICE_HINT = `code belongs to domain/, store/, events/, clock/ or http/; beside them are only ${SERVICE_FILES.join(', ')}`;
const SERVICE_FOLDERS: Readonly<Record<string, Folder>> = {
  domain: flat('domain/ is flat: <resource>.<what>.ts'),
  store: flat('store/ is flat'),
  events: flat('events/ is flat: on-<event>.ts, respond-<request>.ts'),
  clock: flat('clock/ is flat'),
  http: flat('http/ is flat: one file for each action, <action>.ts, its tests beside it'),
};
const SERVICE: Folder = { files: SERVICE_FILES, folders: SERVICE_FOLDERS, hint: SERVICE_HINT };

const GENERATION = flat('a generation is flat: codec, encode and decode of one payload generation');
const GATEWAY_HINT = 'the gateway has one folder for each step of a request and for each of its own endpoints';
const GATEWAY: Folder = {
  files: ['main', 'worker', 'app', 'deps', 'config', 'release'],
  folders: {
    ...Object.fromEntries(
      ['json', 'auth', 'request', 'limits', 'answer', 'idempotency', 'proxy', 'description', 'pipeline'].map((name) => [
        name,
        flat(`${name}/ is flat`),
      ]),
    ),
    generations: {
      folders: {
        'v2.5': GENERATION,
        'v2.3': GENERATION,
        v0: GENERATION,
        'v0.1': GENERATION,
        fixtures: flat('JSON only'),
      },
      hint: 'what all generations share is directly in generations/, the rest in the folder of its generation',
    },
  },
  hint: GATEWAY_HINT,
};

// From the ground up: what all read, features, what stands above them (.dependency-cruiser.cjs).
const REGISTER_ROOMS =
  'requests revisions history search stream webhooks ocds statistics follow exports redaction'.split(' ');
const REGISTER: Folder = {
  files: ['main', 'worker', 'app', 'deps', 'config'],
  folders: Object.fromEntries(
    REGISTER_ROOMS.map((name) => [
      name,
      {
        folders: { domain: flat(`${name}/domain/ is flat: pure decisions`) },
        hint: `${name}/ is flat: handlers, SQL and jobs of one feature; its pure decisions are in ${name}/domain/`,
      },
    ]),
  ),
  hint: `the register has one folder for each feature, and requests/ and revisions/ for what all of them read`,
};

/** Sources, by the folder that the rule is about. Folders that are not here have no rule. */
const LAYOUT: Readonly<Record<string, Folder>> = {
  'packages/contracts/src': {
    // The table of limits, which every folder below may import.
    files: ['limits'],
    folders: {
      resources: flat('resources/ is flat'),
      api: flat('api/ is flat: <service>.api.ts'),
      events: flat('events/ is flat: <resource>.events.ts'),
      problems: flat('problems/ is flat'),
      reading: flat('reading/ is flat'),
    },
    hint: 'contracts has limits.ts, and shapes only: resources/, api/, events/, problems/, reading/. Rules belong to packages/domain',
  },
  'packages/domain/src': flat('packages/domain is flat: one file for each rule that several services share'),
  'packages/cli/src': flat('packages/cli is flat: the program, its commands, and what they share'),
  'packages/client/src': flat('packages/client is flat: one file for each part of the client'),
  'packages/nats-certificates/src': flat(
    'packages/nats-certificates is flat: what certificates are, their files, the program',
  ),
  'packages/page-style/src': flat('packages/page-style is flat: what pages of all servers share'),
  'packages/proof/src': flat('packages/proof is flat: one file for each format of the log, of seals and of receipts'),
  'packages/verify/src': flat('packages/verify is flat: the program, its commands, and what they check'),
  'packages/ocds/src': flat('packages/ocds is flat: one file for each part of the mapping'),
  'packages/kit/src': {
    files: ['migrations'],
    folders: {
      http: flat('http/ is flat'),
      messaging: {
        folders: {
          request: flat('request/ is flat'),
          publish: flat('publish/ is flat'),
          consume: flat('consume/ is flat'),
          repair: flat('repair/ is flat'),
        },
        hint: 'messaging/ has what all its rooms use, and request/, publish/, consume/ and repair/, which are flat',
      },
      database: flat('database/ is flat'),
      runtime: flat('runtime/ is flat'),
      feed: flat('feed/ is flat'),
      files: flat('files/ is flat'),
      service: flat('service/ is flat: what runs a service'),
    },
    hint: 'kit has migrations.ts, runtime/, database/, messaging/, http/, feed/, files/ and service/',
  },
  'services/tenders/src': SERVICE,
  'services/bids/src': SERVICE,
  'services/awards/src': SERVICE,
  'services/auction/src': SERVICE,
  'services/register/src': REGISTER,
  'services/ledger/src': {
    files: SERVICE_FILES,
    folders: {
      domain: flat('domain/ is flat: pure decisions'),
      store: flat('store/ is flat: SQL, and hashes of the tree from it'),
      files: flat('files/ is flat: the store of the public log'),
      writer: flat('writer/ is flat: what one process does to write the log'),
      http: flat('http/ is flat: one file for each kind of reading'),
    },
    hint: 'the ledger has domain/, store/, files/, writer/ and http/',
  },
  // Has files on disk or in S3 besides its store, and a view that http/ and events/ share.
  'services/documents/src': {
    files: [...SERVICE_FILES, 'document-view'],
    folders: { ...SERVICE_FOLDERS, files: flat('files/ is flat: where the bytes of files are kept') },
    hint: SERVICE_HINT,
  },
  'services/gateway/src': GATEWAY,
  'apps/auction-room/src': {
    files: ['main', 'start-replica', 'app', 'operations', 'deps', 'config', 'room', 'hand-off'],
    folders: {
      domain: flat('domain/ is flat: the decision and everything else that is a function of the log'),
      store: flat('store/ is flat: SQL and transactions'),
      time: flat('time/ is flat: the clock that all replicas share'),
      lead: flat('lead/ is flat: who leads, timers, signs of work'),
      follow: flat('follow/ is flat: what is read of the tender service'),
      tasks: flat('tasks/ is flat: one file for each request that an auction needs'),
      'tender-service': flat('tender-service/ is flat: requests and answers'),
      session: flat('session/ is flat: links, sessions, limits'),
      http: flat('http/ is flat: one file for each action'),
      watch: flat('watch/ is flat: streams of events'),
      operator: flat('operator/ is flat: pages of operators'),
    },
    hint: 'the auction room has one folder for each of its parts; main.ts starts them',
  },
  test: {
    files: ['package'],
    folders: {
      e2e: {
        folders: {
          'below-threshold': flat('one file for each story'),
          interface: flat('one file for each resource of interface.md'),
          register: flat('one file for each kind of reading of the register'),
          browser: flat('one file for the pages of a program, opened in Chromium'),
          portal: flat('one file for what is proved of the pages of the portal'),
          stories: flat('stories that several tests play'),
        },
        hint: 'tests through the gateway; stories that several tests play are in stories/',
      },
      faults: { folders: { ledger: flat('the ledger test') }, hint: 'one file for each kind of fault, and ledger/' },
      fuzz: flat('fuzz/ is flat'),
      bench: flat('bench/ is flat'),
      demo: flat('demo/ is flat'),
      support: flat('support/ is flat'),
      foreign: {
        files: [],
        folders: {
          go: {
            folders: { receive: flat('one program'), validate: flat('one program') },
            hint: 'a folder for each program',
          },
          'go-client': flat('the program that plays with a generated client'),
          'go-collector': flat('the program that receives spans'),
          log: flat('the program that reads the log'),
          python: flat('python/ is flat'),
        },
        hint: 'programs that use code of others, by language; go-client/, go-collector/ and log/ have their own versions',
      },
      rooms: flat('rooms/ is flat: tests with an auction room'),
      golden: { files: [], folders: { '2.5': flat('recordings only') }, hint: 'recordings, by segment' },
    },
    hint: 'test has e2e/, rooms/, faults/, fuzz/, foreign/, bench/, golden/, demo/ and support/',
  },
};

/** One sentence for each file that is not where its kind of code belongs. Paths are relative to the root, with `/`. */
export function misplacedFiles(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    const root = Object.keys(LAYOUT).find((folder) => path.startsWith(`${folder}/`));
    const layout = root === undefined ? undefined : LAYOUT[root];
    if (root === undefined || layout === undefined) return [];
    const hint = findFault(path.slice(root.length + 1).split('/'), layout);
    return hint === undefined ? [] : [`${path} is misplaced: ${hint}`];
  });
}

function findFault([name = '', ...rest]: readonly string[], folder: Folder): string | undefined {
  if (rest.length > 0) {
    const inner = folder.folders?.[name];
    return inner === undefined ? folder.hint : findFault(rest, inner);
  }
  const stem = name.replace(/(?:\.int)?(?:\.test)?\.[a-z]+$/, '');
  return folder.files === undefined || folder.files.includes(stem) ? undefined : folder.hint;
}

if (process.argv[1] === import.meta.filename) {
  const root = join(import.meta.dirname, '..');
  const command = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const paths = execFileSync('git', command, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\n');
  const misplaced = misplacedFiles(paths.filter((path) => path !== '' && existsSync(join(root, path))));
  for (const line of misplaced) console.error(line);
  console.log(
    misplaced.length === 0 ? 'every file is where its kind belongs' : `${misplaced.length} misplaced file(s)`,
  );
  process.exitCode = misplaced.length === 0 ? 0 : 1;
}
