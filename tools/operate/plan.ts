import { SERVICES, type ServiceName } from '@procurement/local-stack/ports';

/** Where the services run. */
export type Installation =
  | { readonly kind: 'local' }
  | { readonly kind: 'compose'; readonly files: readonly string[] }
  | { readonly kind: 'kubernetes'; readonly namespace: string };

/** The register and the ledger publish no events. */
const PUBLISHERS = SERVICES.filter((service) => service !== 'register' && service !== 'ledger');

/** The services that a command runs in when `--service` names none. Each service has what the command is about. */
const SERVICES_OF: Readonly<Record<string, readonly ServiceName[]>> = {
  brokers: ['gateway'],
  'dead-letters': SERVICES,
  rebuild: ['tenders', 'bids', 'awards', 'documents', 'auction'],
  outbox: PUBLISHERS,
  'accept-loss': PUBLISHERS,
  audit: SERVICES,
  migrate: SERVICES,
  pack: ['register'],
  reindex: ['register'],
  'republish-contracts': ['awards'],
  'accept-hole': ['ledger'],
  refill: ['ledger'],
  resume: ['ledger'],
};

/** A command that cannot begin. */
export class PlanError extends Error {
  override readonly name = 'PlanError';
}

/** The services in which a command runs. Throws a PlanError. */
export function servicesFor(command: readonly string[], chosen: readonly string[]): readonly ServiceName[] {
  const services = chosen.map((name) => {
    const service = SERVICES.find((one) => one === name);
    if (service === undefined) throw new PlanError(`there is no service ${name}; there are ${SERVICES.join(', ')}`);
    return service;
  });
  const [verb = '', ...args] = command;
  const usual = SERVICES_OF[verb];
  if (services.length > 0) return services;
  if (usual === undefined)
    throw new PlanError(`which service? --service names it. Without it: ${Object.keys(SERVICES_OF).join(', ')}`);
  if (verb === 'dead-letters' && args.some((arg) => /^\d+$/.test(arg)))
    throw new PlanError('ids are those of one service: --service <name>');
  return usual;
}

/** The program that runs a command in a service, with its arguments. */
export function invocation(
  installation: Exclude<Installation, { kind: 'local' }>,
  service: ServiceName,
  command: readonly string[],
): readonly [program: string, ...args: string[]] {
  const inContainer = ['node', 'dist/main.js', ...command];
  return installation.kind === 'compose'
    ? [
        'docker',
        'compose',
        ...installation.files.flatMap((file) => ['--file', file]),
        'exec',
        '-T',
        service,
        ...inContainer,
      ]
    : ['kubectl', '--namespace', installation.namespace, 'exec', '-i', `deploy/${service}`, '--', ...inContainer];
}

/** The program that compares the databases of all services (docs/decisions/0112-verify-by-databases.md), with its arguments. */
export function verification(
  installation: Exclude<Installation, { kind: 'local' }>,
  args: readonly string[],
): readonly [program: string, ...args: string[]] {
  if (installation.kind === 'kubernetes')
    throw new PlanError(
      `on Kubernetes: kubectl -n ${installation.namespace} create job verify-1 --from=cronjob/verify, then its log (docs/operations.md)`,
    );
  const files = installation.files.flatMap((file) => ['--file', file]);
  return ['docker', 'compose', ...files, 'run', '--rm', '-T', 'verify', ...args];
}

/** A line of a service among those of others: JSON gets a member, text gets the name. */
export function labelled(service: ServiceName, line: string): string {
  if (!line.startsWith('{"')) return `${service}: ${line}`;
  return `{"service":"${service}",${line.slice(1)}`;
}
