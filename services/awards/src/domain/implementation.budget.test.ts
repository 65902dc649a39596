import {
  AWARDING_BYTES_MAX,
  CONTRACT_OBJECTS_MAX,
  IMPLEMENTATION_BYTES_MAX,
  OBJECT_BYTES_MAX,
} from '@procurement/contracts/limits';
import type { StoredImplementation } from '@procurement/contracts/resources/contract';
import { jsonBytes, toJsonText } from '@procurement/domain/json-text';
import { padId } from '@procurement/testing/ids';
import { describe, expect, it } from 'vitest';
import { buildMeta, type Data } from '../../test-support/run-command.ts';
import {
  accepted,
  addChange,
  contractIdOf,
  PAYMENT,
  pay,
  signed,
  withPending,
} from '../../test-support/signed-contract.ts';
import { budgetRefusal } from './awarding.budget.ts';
import type { Awarding, AwardingCommand } from './awarding.ts';

const contractId = contractIdOf(signed);
const CHANGE = withPending.contracts[0]?.implementation?.changes?.[0];
const changeId = CHANGE?.id ?? '';
const meta = buildMeta(signed, {});
const body = { kind: 'data', data: {} } as const;
const patch = (data: Data): AwardingCommand => ({
  type: 'ChangeStandaloneContract',
  id: contractId,
  body: { kind: 'data', data },
  meta,
});
const COMMANDS = {
  add: { type: 'AddContractChange', contractId, body, meta: { ...meta, id: changeId } },
  edit: { type: 'ChangeContractChange', contractId, id: changeId, body, meta },
  pay: { type: 'PutTransaction', contractId, id: '1', body, meta },
  patch: patch({ terminationDetails: 'x' }),
} as const satisfies Record<string, AwardingCommand>;

function followed(...implementations: readonly Partial<StoredImplementation>[]): Awarding {
  const [contract] = signed.contracts;
  if (contract === undefined) throw new Error('no contract');
  const contracts = implementations.map((parts, n) => ({
    ...contract,
    id: n === 0 ? contractId : padId(`a${n}`),
    implementation: { status: 'active' as const, ...parts },
  }));
  return { ...signed, contracts };
}

/** An implementation of exactly this many bytes. */
function sized(bytes: number): Partial<StoredImplementation> {
  const empty = jsonBytes({ status: 'active', terminationDetails: '' });
  return { terminationDetails: 'x'.repeat(bytes - empty) };
}

/** The change with a rationale that gives it exactly this many bytes. */
function sizedChange(bytes: number): Partial<StoredImplementation> {
  if (CHANGE === undefined) throw new Error('no change');
  const empty = jsonBytes({ ...CHANGE, rationale: '' });
  return { changes: [{ ...CHANGE, rationale: 'x'.repeat(bytes - empty) }] };
}

const payment = { ...PAYMENT, id: '1' };
const SCENARIOS: readonly (readonly [string, AwardingCommand, number, (measure: number) => Awarding])[] = [
  ['limit.change-bytes', COMMANDS.add, OBJECT_BYTES_MAX.change, (bytes) => followed(sizedChange(bytes))],
  ['limit.change-bytes', COMMANDS.edit, OBJECT_BYTES_MAX.change, (bytes) => followed(sizedChange(bytes))],
  [
    'limit.changes',
    COMMANDS.add,
    CONTRACT_OBJECTS_MAX.changes,
    (count) => followed({ changes: Array.from({ length: count }, () => ({ ...CHANGE, id: 'x' }) as never) }),
  ],
  [
    'limit.transactions',
    COMMANDS.pay,
    CONTRACT_OBJECTS_MAX.transactions,
    (count) => followed({ transactions: Array.from({ length: count }, () => payment) }),
  ],
  [
    'limit.implementation-bytes',
    COMMANDS.patch,
    IMPLEMENTATION_BYTES_MAX.ofContract,
    (bytes) => followed(sized(bytes)),
  ],
  [
    'limit.implementation-quota',
    COMMANDS.pay,
    IMPLEMENTATION_BYTES_MAX.ofTender,
    (bytes) => followed({}, sized(bytes - jsonBytes({ status: 'active' }))),
  ],
];

function refusalOf(command: AwardingCommand, before: Awarding, after: Awarding) {
  const { awards, contracts } = after;
  return budgetRefusal(command, { before, after, documentText: toJsonText({ awards, contracts }) });
}

describe('limits of what follows a signature (contracting.md 9.3)', () => {
  it.each(SCENARIOS)('%s of %o: accepted at the limit, refused above it', (code, command, max, at) => {
    expect(refusalOf(command, followed({}), at(max))).toBeUndefined();
    const refused = refusalOf(command, followed({}), at(max + 1));
    expect([refused?.code, refused?.status]).toEqual([code, 422]);
    expect(refused?.errors[0]?.description).toContain(`No more than ${max} `);
    expect(refusalOf(command, at(max + 1), at(max + 1))).toBeUndefined();
  });

  it('never refuse to end a contract with what was paid', () => {
    const [full, more] = [followed(sized(IMPLEMENTATION_BYTES_MAX.ofContract)), followed(sized(5_000_000))];
    expect(refusalOf(patch({ status: 'terminated', amountPaid: { amount: 1 } }), full, more)).toBeUndefined();
    expect(refusalOf(patch({ status: 'terminated', title: 'x' }), full, more)?.code).toBe('limit.implementation-bytes');
  });

  it('take nothing of the quota of awards and contracts', () => {
    const quota = followed({}, sized(AWARDING_BYTES_MAX));
    const edited: AwardingCommand = { type: 'ChangeAward', id: signed.awards[0]?.id ?? '', body, meta };
    expect(refusalOf(edited, followed({}), quota)).toBeUndefined();
  });

  it('a thousand changes and a thousand payments are decided, each by all before it', () => {
    let state = signed;
    for (let n = 0; n < 1_000; n += 1) {
      const changes = state.contracts[0]?.implementation?.changes ?? [];
      const active = changes.map((change) => ({ ...change, status: 'active' as const }));
      state = accepted(addChange({ ...followed({ ...state.contracts[0]?.implementation, changes: active }) }));
      state = accepted(pay(state, `p${n}`));
    }
    const { changes, transactions } = state.contracts[0]?.implementation ?? {};
    expect([changes?.length, transactions?.length]).toEqual([1_000, 1_000]);
  });
});
