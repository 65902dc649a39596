import { serviceUsers, usersConfig } from '@procurement/local-stack/nats-users';

const HEADING = '# Written by `npm run nats-users` from packages/contracts/src/events/bus-access.ts.';
const PASSWORDS =
  '# Passwords are variables of the server: NATS_BIDS_PASSWORD and so on, letters and digits, a letter first.';

/** The users of NATS for installations that do not start it themselves, by file. */
export function busFiles(): Readonly<Record<string, string>> {
  const users = usersConfig(serviceUsers((service) => `$NATS_${service.toUpperCase()}_PASSWORD`));
  const text = `${HEADING}\n${PASSWORDS}\n${users}`;
  return { 'deploy/compose/nats/users.conf': text, 'deploy/kubernetes/base/nats-users.yaml': configMap(text) };
}

function configMap(text: string): string {
  const indented = text.replaceAll(/^(?=.)/gm, '    ');
  return `${HEADING}
apiVersion: v1
kind: ConfigMap
metadata:
  name: nats-users
data:
  users.conf: |
${indented}`;
}
