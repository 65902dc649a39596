import { ACTORS } from '@procurement/testing/actors';
import { describe, expect, it } from 'vitest';
import { CONTRACT_HASH, buildMeta, runCommand, type CommandResult } from '../../test-support/run-command.ts';
import {
  addChange,
  BOT,
  changeChange,
  changeSigned,
  contractIdOf,
  later,
  pay,
  refusalCases,
  STATES,
  type RefusalCase,
} from '../../test-support/signed-contract.ts';

const CALLERS: Readonly<Record<string, (typeof ACTORS)[keyof typeof ACTORS] | typeof BOT>> = {
  public: ACTORS.anonymous,
  'another broker': ACTORS.otherBroker,
  bot: BOT,
};

function runCase({ at, as = '', method, path, body = { data: {} } }: RefusalCase): CommandResult {
  const state = STATES[at];
  const options = { ...later, actor: CALLERS[as] ?? ACTORS.owner };
  const [, collection = '', id = ''] = /^\/contracts\/\$contract(?:\/(\w+)(?:\/(.+))?)?$/.exec(path) ?? [];
  switch (`${method} ${collection}`) {
    case 'PATCH ':
      return changeSigned(state, body.data, options);
    case 'POST changes':
      return addChange(state, body.data, options);
    case 'PATCH changes':
      return changeChange(state, body.data, options);
    case 'PUT transactions':
      return pay(state, id, body.data, options);
    case 'PATCH credentials': {
      const meta = { ...buildMeta(state, options), tokenHash: CONTRACT_HASH, transferHash: CONTRACT_HASH };
      return runCommand(state, { type: 'IssueCredentials', id: contractIdOf(state), meta });
    }
    default:
      throw new Error(`${method} ${path} has no command`);
  }
}

// Reads have no command, and documents belong to another service: test/e2e/contracting.test.ts plays them.
const commands = refusalCases().filter(({ method, path }) => method !== 'GET' && !path.includes('/documents'));

describe('refusals of docs/spec/contracting/errors.json', () => {
  it('are 30 commands of awards', () => expect(commands.length).toBe(30));

  it.each(commands)('$at: $method $path $body', (refusal) => {
    const { refused } = runCase(refusal);
    const errors = (refused?.errors ?? []).map(({ location, name, description }) => ({ location, name, description }));
    expect(refused?.status).toBe(refusal.status);
    if (refusal.contains === true) expect(errors).toEqual(expect.arrayContaining([...refusal.errors]));
    else if (refusal.anyOrder === true) expect(new Set(errors)).toEqual(new Set(refusal.errors));
    else expect(errors).toEqual(refusal.errors);
  });
});
