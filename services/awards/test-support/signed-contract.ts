import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '@procurement/contracts/reading/json-object';
import { parseInstant } from '@procurement/contracts/reading/instant';
import { padId } from '@procurement/testing/ids';
import type { Awarding } from '../src/domain/awarding.ts';
import {
  bid,
  buildMeta,
  patchAward,
  patchContract,
  runCommand,
  withOpenedBids,
  withTender,
  type CommandOptions,
  type CommandResult,
  type Data,
} from './run-command.ts';

/** A refusal of docs/spec/contracting/errors.json. */
export interface RefusalCase {
  readonly at: 'pending' | 'signed' | 'withPending' | 'withActive' | 'terminated';
  readonly as?: string;
  readonly token?: string;
  readonly method: string;
  readonly path: string;
  readonly body?: { readonly data: Data };
  readonly status: number;
  readonly anyOrder?: boolean;
  readonly contains?: boolean;
  readonly errors: readonly JsonObject[];
}

export function refusalCases(): readonly RefusalCase[] {
  const path = join(import.meta.dirname, '../../../docs/spec/contracting/errors.json');
  // The fixture has this shape; a test that reads it fails where it has not.
  return (JSON.parse(readFileSync(path, 'utf8')) as { readonly cases: readonly RefusalCase[] }).cases;
}

/** Times of the fixture. */
const SIGNED_AT = parseInstant('2026-03-31T10:12:30.550000+03:00');
const CHANGED_AT = parseInstant('2026-05-12T11:05:00+03:00');
export const LATER = parseInstant('2026-06-30T09:00:00+03:00');
export const LATER_TEXT = '2026-06-30T09:00:00.000000+03:00';
export const later = { now: LATER } as const;

const CHANGE_ID = padId('c9');
export const RATIONALE = { rationale: 'Зросла ринкова ціна паперу.', rationaleTypes: ['itemPriceVariation'] };

/** Items as a tender of 2.5 has them. */
export const FULL_ITEMS = [
  {
    id: 'first',
    description: 'Папір',
    classification: { scheme: 'CPV', id: '30197630-1', description: 'Папір для друку' },
    quantity: 5,
  },
] as const;

/** An award of 400.0 UAH with its pending contract. */
export const pending = accepted(
  patchAward(withOpenedBids([bid('b1', 400)]), 0, { status: 'active' }, { items: FULL_ITEMS }),
);
/** Signed for 380.0 UAH, and the tender is complete. */
export const signed = withTender(
  accepted(patchContract(pending, 0, { value: { amount: 380 }, status: 'active' }, { now: SIGNED_AT })),
  { status: 'complete' },
);
export const withPending = accepted(addChange(signed));
export const withActive = accepted(
  changeChange(withPending, { status: 'active', dateSigned: '2026-05-12T10:30:00+03:00' }),
);
export const terminated = accepted(changeSigned(signed, { status: 'terminated', amountPaid: { amount: 380 } }));
export const STATES: Readonly<Record<RefusalCase['at'], Awarding>> = {
  pending,
  signed,
  withPending,
  withActive,
  terminated,
};

/** The state after a command. Throws when it was refused. */
export function accepted({ state, refused }: CommandResult): Awarding {
  if (refused !== undefined) throw new Error(JSON.stringify(refused));
  return state;
}

export function contractIdOf(state: Awarding): string {
  return state.contracts[0]?.id ?? '';
}

/** PATCH of the contract at its own address. */
export function changeSigned(state: Awarding, data: Data, options: CommandOptions = later): CommandResult {
  const meta = buildMeta(state, { ...later, ...options });
  const body = { kind: 'data', data } as const;
  return runCommand(state, { type: 'ChangeStandaloneContract', id: contractIdOf(state), body, meta });
}

export function addChange(
  state: Awarding,
  data: Data = RATIONALE,
  options: CommandOptions & { readonly changeId?: string } = {},
): CommandResult {
  const meta = { ...buildMeta(state, { now: CHANGED_AT, ...options }), id: options.changeId ?? CHANGE_ID };
  const body = { kind: 'data', data } as const;
  return runCommand(state, { type: 'AddContractChange', contractId: contractIdOf(state), body, meta });
}

export function changeChange(
  state: Awarding,
  data: Data,
  options: CommandOptions & { readonly changeId?: string } = {},
): CommandResult {
  const { changeId: id = CHANGE_ID } = options;
  const meta = buildMeta(state, { now: CHANGED_AT, ...options });
  const body = { kind: 'data', data } as const;
  return runCommand(state, { type: 'ChangeContractChange', contractId: contractIdOf(state), id, body, meta });
}

export const PAYMENT = {
  date: '2026-05-20T12:00:00+03:00',
  value: { amount: 200, currency: 'UAH' },
  payer: { name: 'Міська рада', bankAccount: { scheme: 'IBAN', id: 'UA213223130000026007233566001' } },
  payee: { name: 'ТОВ Папір', bankAccount: { scheme: 'IBAN', id: 'UA903052992990004149123456789' } },
  status: '0',
} as const;
export const BOT = { broker: 'bot', group: 'bots', levels: '', segment: '2.5' } as const;

export function pay(state: Awarding, id: string, data: Data = PAYMENT, options: CommandOptions = {}): CommandResult {
  const meta = buildMeta(state, { actor: BOT, ...later, ...options });
  const body = { kind: 'data', data } as const;
  return runCommand(state, { type: 'PutTransaction', contractId: contractIdOf(state), id, body, meta });
}
