import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { handoverSocket, serveHandover, takeService } from './handover.ts';
import { fail, onStopSignal, print, restartOnExit, runLocalStack } from './local-run.ts';
import { makePart, type Part } from './part.ts';
import { SERVICES, type ServiceName } from './ports.ts';
import { makeRestarter, type Restarter } from './restarter.ts';
import { servicesToRestart, serviceToGenerate, type ServicePackages } from './restart-plan.ts';
import { printLog } from './service-log.ts';
import { DATA_DIR, runningSandbox } from './sandbox.ts';
import { folderOf, startService, type ServiceLaunch } from './service.ts';
import { watchTree } from './watch-tree.ts';

const HELP = `npm run dev                    the whole system from its sources; a changed file restarts the services that use it
npm run dev -- --only bids     bids with its log in this terminal. If npm run dev runs in another terminal, bids moves here
                               until Ctrl-C; else everything starts here. Only bids restarts after a change
INSPECT=bids npm run dev       the inspector of bids on 127.0.0.1:9229, also with --only
npm run dev -- --reset         deletes all data first
PORT, HOST, DATA_DIR           as for npm start (npm start -- --help)
Logs of all services are in .local/logs/; warnings and errors are printed here as well.`;

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const INSPECTOR = '127.0.0.1:9229';
/** A restart does not wait long for requests to finish. */
const GRACE_MS = 2_000;

/** Runs the sources: tsx strips the types and keeps the result in its cache. */
function fromSources(service: ServiceName | 'portal', { only, inspect }: DevOptions): ServiceLaunch {
  const entry = join(ROOT, folderOf(service), 'src/main.ts');
  const tsx = import.meta.resolve('tsx');
  return {
    args: [
      ...(service === inspect ? [`--inspect=${INSPECTOR}`] : []),
      '--conditions=source',
      '--enable-source-maps',
      // No service depends on the portal, and it has no migrations: Node itself restarts it after a change of what it imports.
      ...(service === 'portal' ? ['--watch', '--watch-preserve-output'] : []),
      `--import=${tsx}`,
      entry,
    ],
    // tsx has the settings of one tsconfig.json: those of the portal say how its pages are compiled.
    ...(service === 'portal' ? { env: { TSX_TSCONFIG_PATH: join(ROOT, folderOf(service), 'tsconfig.json') } } : {}),
    graceMs: GRACE_MS,
    onOutput: printLog(service, service === only ? 'info' : 'warn', print),
  };
}

interface DevOptions {
  readonly only?: ServiceName | undefined;
  readonly inspect?: ServiceName | undefined;
}

/** Throws if the name is no service. */
function serviceNamed(name: string | undefined): ServiceName | undefined {
  if (name === undefined || name === '') return undefined;
  const service = SERVICES.find((one) => one === name);
  if (service === undefined) throw new Error(`There is no service "${name}"; there are ${SERVICES.join(', ')}.`);
  return service;
}

/** The packages of each service, from the dependencies in its package.json and in those of the packages. */
function servicePackages(): ServicePackages {
  const readDependencies = (folder: string): readonly string[] => {
    // npm checks the shape of every package.json.
    const manifest = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as {
      dependencies?: Readonly<Record<string, string>>;
    };
    const prefix = '@procurement/';
    const names = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith(prefix));
    // apps/docs is served as files, which `npm run generate` makes: no restart.
    const direct = names
      .map((name) => name.slice(prefix.length))
      .filter((name) => existsSync(join(ROOT, 'packages', name)));
    return [...new Set([...direct, ...direct.flatMap((name) => readDependencies(`packages/${name}`))])];
  };
  // Has an entry for every service.
  return Object.fromEntries(SERVICES.map((name) => [name, readDependencies(`services/${name}`)])) as ServicePackages;
}

/** `src` and `prisma` of every service and package. */
function watchedFolders(): readonly string[] {
  return ['services', 'packages'].flatMap((group) =>
    readdirSync(join(ROOT, group)).flatMap((name) =>
      ['src', 'prisma'].map((folder) => join(ROOT, group, name, folder)).filter((folder) => existsSync(folder)),
    ),
  );
}

/** Generates `src/gen` of a service again. Prints the output of a failure. */
async function generate(service: ServiceName): Promise<void> {
  const args = ['run', '--silent', '--if-present', 'generate', '-w', `services/${service}`];
  await promisify(execFile)('npm', args, { cwd: ROOT }).catch((error: unknown) => print(String(error)));
}

/** Restarts `services` when their files change, and prints each restart. Returns their restarters. */
function restartOnChange(services: readonly Part[]): ReadonlyMap<string, Restarter> {
  const restarters = new Map(
    services.map((part): [string, Restarter] => {
      part.onUnexpectedExit(printFailure);
      return [part.name, makeRestarter(part, (error) => printFailure(messageOf(error)))];
    }),
  );
  const packages = servicePackages();
  const affectedBy = (path: string): readonly ServiceName[] =>
    servicesToRestart(path, packages).filter((name) => restarters.has(name));
  const restart = async (name: ServiceName, needsGenerate: boolean): Promise<void> => {
    if (needsGenerate) await generate(name);
    printReady(name, await restarters.get(name)?.restart());
  };
  watchTree(watchedFolders(), (changed) => {
    const causes = changed.map((path) => relative(ROOT, path)).filter((path) => affectedBy(path).length > 0);
    const names = new Set(causes.flatMap(affectedBy));
    if (names.size === 0) return;
    const more = causes.length > 1 ? ` and ${causes.length - 1} more` : '';
    print(`${causes[0]}${more} changed: restarting ${[...names].join(', ')}`);
    const toGenerate = causes.map(serviceToGenerate);
    for (const name of names) void restart(name, toGenerate.includes(name));
  });
  return restarters;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function printFailure(line: string): void {
  print(`! ${line}; the next change starts it again`);
}

function printReady(name: string, ms: number | undefined): void {
  if (ms !== undefined) print(`  ${name} is ready after ${(ms / 1_000).toFixed(1)} s`);
}

/** Starts everything. Other processes can take single services over. */
async function runWholeSystem(options: DevOptions): Promise<void> {
  const launch = (program: ServiceName | 'portal'): ServiceLaunch => fromSources(program, options);
  const onServiceFailed = (_service: ServiceName, error: unknown): void => printFailure(messageOf(error));
  await runLocalStack({ launch, onServiceFailed }, async (stack, stopSignal) => {
    restartOnExit(stack.parts.postgres, stopSignal);
    restartOnExit(stack.parts.nats, stopSignal);
    if (stack.parts.portal !== undefined) restartOnExit(stack.parts.portal, stopSignal);
    const names = options.only === undefined ? SERVICES : [options.only];
    const restarters = restartOnChange(names.map((name) => stack.parts[name]));
    if (options.only !== undefined) return;
    const socket = await serveHandover(handoverSocket(DATA_DIR), {
      release: async (service) => {
        print(`${service} moves to another terminal`);
        await restarters.get(service)?.suspend();
        return stack.serviceOptions(service);
      },
      resume: async (service) => {
        if (stopSignal.aborted) return;
        print(`${service} comes back from the other terminal`);
        printReady(service, await restarters.get(service)?.resume());
      },
    });
    stopSignal.addEventListener('abort', () => socket.close());
  });
}

/** Runs one service of a system that another process runs. */
async function runOneService(service: ServiceName, options: DevOptions): Promise<void> {
  const startedMs = performance.now();
  const taken = await takeService(handoverSocket(DATA_DIR), service).catch((error: unknown) => {
    throw new Error(`Cannot take ${service} over: is it npm run dev that runs there? (${String(error)})`, {
      cause: error,
    });
  });
  const part = makePart(service, async (onSpawn) =>
    startService(taken.options, onSpawn, fromSources(service, options)),
  );
  const stop = async (line: string): Promise<void> => {
    print(line);
    await part.stop();
    taken.giveBack();
    process.exit(0);
  };
  onStopSignal(() => void stop(`\n${service} goes back to the other terminal`));
  void taken.supervisorEnded.then(async () => stop('npm run dev has stopped in the other terminal'));
  const restarters = restartOnChange([part]);
  if ((await restarters.get(service)?.restart()) !== undefined) printReady(service, performance.now() - startedMs);
}

try {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, reset: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  const options = { only: serviceNamed(values.only), inspect: serviceNamed(process.env['INSPECT']) };
  if (values.help === true) print(HELP);
  else if (options.only !== undefined && runningSandbox() !== undefined) await runOneService(options.only, options);
  else await runWholeSystem(options);
} catch (error) {
  fail(messageOf(error));
}
