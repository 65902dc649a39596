import { busPermissions, type BusPermissions } from '@procurement/contracts/events/bus-access';
import { RESPONSE_MS_MAX } from '@procurement/contracts/events/subjects';
import { SERVICES, type ServiceName } from './ports.ts';

/** A user of nats-server. Without permissions it may do everything. */
export interface NatsUser {
  readonly name: string;
  /** Text, or a variable of the server's environment: `$NAME`. */
  readonly password: string;
  readonly permissions?: BusPermissions;
}

/** The users of all services, with the permissions of `busAccess`. */
export function serviceUsers(passwordOf: (service: ServiceName) => string): readonly NatsUser[] {
  return SERVICES.map((service) => ({
    name: service,
    password: passwordOf(service),
    permissions: busPermissions(service),
  }));
}

/** The `authorization` section of a nats-server configuration: these users and nobody else. */
export function usersConfig(users: readonly NatsUser[]): string {
  return ['authorization {', '  users: [', ...users.flatMap(userLines), '  ]', '}', ''].join('\n');
}

function userLines({ name, password, permissions }: NatsUser): readonly string[] {
  const secret = password.startsWith('$') ? password : JSON.stringify(password);
  if (permissions === undefined) return [`    { user: ${name}, password: ${secret} }`];
  return [
    '    {',
    `      user: ${name}`,
    `      password: ${secret}`,
    '      permissions: {',
    ...subjectLines('publish', permissions.publish),
    ...subjectLines('subscribe', permissions.subscribe),
    // A responder may publish to the reply subject of a request that it received. A large response has up to 96 parts.
    `        allow_responses: { max: 100, expires: "${RESPONSE_MS_MAX / 1_000}s" }`,
    '      }',
    '    }',
  ];
}

function subjectLines(verb: 'publish' | 'subscribe', subjects: readonly string[]): readonly string[] {
  return [
    `        ${verb}: { allow: [`,
    ...subjects.map((subject) => `          ${JSON.stringify(subject)}`),
    '        ] }',
  ];
}
