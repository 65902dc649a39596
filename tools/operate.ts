import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Command } from 'commander';
import { serviceEnvironment } from '@procurement/local-stack/environment';
import { portFamily, type ServiceName } from '@procurement/local-stack/ports';
import { DATA_DIR, NoSandboxError, requireSandbox } from '@procurement/local-stack/sandbox';
import { loadOrCreateSecrets } from '@procurement/local-stack/secrets';
import { invocation, labelled, PlanError, servicesFor, verification, type Installation } from './operate/plan.ts';

const ROOT = join(import.meta.dirname, '..');

const COMMANDS = `
Commands, in every service that has what they are about:
  brokers add | rotate | revoke | set | list | keys | import    API keys
  dead-letters list | show | replay | discard                   events that could not be applied or published
  rebuild [durable]                                             what services keep of other services
  outbox republish <since>                                      events, after NATS lost its data
  accept-loss                                                   goes on with a database that was restored alone
  audit list [--since <time>]                                   what privileged callers and operators did
  migrate                                                       databases
Of the whole installation:
  verify [--wait <seconds>]                                     compares every view, copy, feed and outbox with its owner
  <command> --help                                              the options of one
Without --compose or --kubernetes: the running npm start on DATA_DIR, .local/ by default. Inside a container: node dist/main.js <command>.`;

interface Options {
  readonly service?: readonly string[];
  readonly compose?: boolean;
  readonly file?: readonly string[];
  readonly kubernetes?: string;
}

const program = new Command('npm run operate --')
  .description("runs operators' commands in the services of an installation")
  .option('--service <names>', 'only in these services, separated by commas', splitNames)
  .option('--compose', 'in the containers of docker-compose.yml')
  .option('--file <files>', 'files of docker compose instead of docker-compose.yml, separated by commas', splitNames)
  .option('--kubernetes <namespace>', 'in the pods of a namespace')
  .argument('<command...>')
  .passThroughOptions()
  .addHelpText('after', COMMANDS)
  .action(async (command: readonly string[], options: Options) => {
    const [verb, ...args] = command;
    if (verb === 'verify' && options.service === undefined) {
      process.exitCode = await verify(chosenInstallation(options), args);
      return;
    }
    const services = servicesFor(command, options.service ?? []);
    const print = (service: ServiceName, line: string): void =>
      console.log(services.length === 1 ? line : labelled(service, line));
    const codes: number[] = [];
    for (const service of services) {
      codes.push(await run(chosenInstallation(options), service, command, (line) => print(service, line)));
    }
    process.exitCode = Math.max(...codes);
  });

function splitNames(text: string): readonly string[] {
  return text.split(',');
}

function chosenInstallation({ compose, file = [], kubernetes }: Options): Installation {
  if (kubernetes !== undefined) return { kind: 'kubernetes', namespace: kubernetes };
  return compose === true || file.length > 0 ? { kind: 'compose', files: file } : { kind: 'local' };
}

/** Returns the exit code. Standard input and the log, on standard error, are those of this process. */
async function run(
  installation: Installation,
  service: ServiceName,
  command: readonly string[],
  print: (line: string) => void,
): Promise<number> {
  const local = installation.kind === 'local' ? await localService(service) : undefined;
  const words =
    installation.kind === 'local'
      ? localInvocation(`services/${service}/src/main.ts`, command)
      : invocation(installation, service, command);
  return runProgram(words, { ...process.env, ...local }, print);
}

/** Returns the exit code. */
async function verify(installation: Installation, args: readonly string[]): Promise<number> {
  const words =
    installation.kind === 'local'
      ? localInvocation('packages/local-stack/src/verify/main.ts', args)
      : verification(installation, args);
  return runProgram(words, process.env, (line) => console.log(line));
}

async function runProgram(
  [file, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  print: (line: string) => void,
): Promise<number> {
  const child = spawn(file, args, { cwd: ROOT, env, stdio: ['inherit', 'pipe', 'inherit'] });
  createInterface({ input: child.stdout }).on('line', print);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

function localInvocation(main: string, command: readonly string[]): readonly [string, ...string[]] {
  return [process.execPath, '--conditions=source', '--import=tsx', join(ROOT, main), ...command];
}

/** The settings of a service of the running sandbox. Throws a NoSandboxError. */
async function localService(service: ServiceName): Promise<Readonly<Record<string, string>>> {
  const ports = portFamily(requireSandbox().gatewayPort);
  const secrets = await loadOrCreateSecrets(DATA_DIR);
  const env = serviceEnvironment(service, { ports, secrets, filesDir: join(DATA_DIR, 'files'), host: '127.0.0.1' });
  return { ...env, EXIT_WITH_PARENT: 'off' };
}

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof PlanError || error instanceof NoSandboxError)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
