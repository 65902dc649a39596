import {
  BrokerLevels,
  TransferRecord,
  type BrokerLevelsRequest,
  type ClaimTransferRequest,
  type OwnershipFacts,
  type TransferRequest,
} from '@procurement/contracts/events/ownership';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { problem, type Problem } from '@procurement/contracts/problems/problems';
import type { Actor } from '@procurement/contracts/api/actor';
import type { BodyResult } from '@procurement/contracts/reading/body-result';
import type { FastifyRequest } from 'fastify';
import type { Bus } from '../messaging/bus.ts';
import { sendRequest } from '../messaging/request/request.ts';
import { sha256Hex } from '../runtime/ids.ts';
import { UnavailableError } from '../database/unavailable-error.ts';
import { actorOf } from './actor.ts';
import { readJsonBody } from './body.ts';
import { ProblemError } from '../runtime/problem-error.ts';

/** Transfers, in the tenders service. Both throw UnavailableError (503) when it cannot be asked. */
export interface TransferSource {
  find(id: string): Promise<TransferRecord | undefined>;
  /** Reserves the transfer for one object, for good. False when another object has it. */
  claim(id: string, usedFor: string): Promise<boolean>;
}

/** Levels of a broker; undefined when there is none of that name. Throws UnavailableError when the gateway cannot be asked. */
export type BrokerLevelsOf = (name: string) => Promise<string | undefined>;

export interface TakeOverSources {
  readonly transfers: TransferSource;
  readonly levelsOf: BrokerLevelsOf;
}

/** A change of the owner of the object at `path`, with all that its decision needs beside the object. */
export interface Change<R> {
  readonly request: R;
  readonly facts: OwnershipFacts;
  /** Path of the object without the segment. */
  readonly path: string;
}

export interface TakeOver<R, P> {
  readonly admission: { readonly request: R; readonly actor: Actor };
  readonly path: string;
  /** Decides only. */
  readonly isDryRun: boolean;
  /** The present owner. */
  readonly present: P;
  /** Decides without locks. `next` is undefined when the change was made already. */
  decide(
    change: Change<R>,
    by: { readonly present: P; readonly actor: Actor },
  ): { readonly next: unknown } | { readonly refused: Problem };
  /** Decides again under the lock of the object, and stores. */
  store(change: Change<R>): Promise<unknown>;
}

/**
 * Changes the owner of an object: the transfer is reserved for the object first, then the object is stored. A process that ends
 * between both leaves a reserved transfer, with which the same request is completed when it is repeated (decision 0077). Returns
 * the new owner.
 */
export async function takeOver<R extends { readonly transferId: string }, P extends { readonly owner: string }>(
  { transfers, levelsOf }: TakeOverSources,
  { admission: { request, actor }, path, isDryRun, present, decide, store }: TakeOver<R, P>,
): Promise<string | undefined> {
  const [transfer, ownerLevels] = await Promise.all([transfers.find(request.transferId), levelsOf(present.owner)]);
  const change = { request, facts: { transfer, ownerLevels }, path };
  const decision = decide(change, { present, actor });
  if ('refused' in decision) throw new ProblemError(decision.refused);
  if (decision.next === undefined || isDryRun) return actor.broker;
  if (!(await transfers.claim(request.transferId, path))) throw new ProblemError(problem('ownership.transfer-used'));
  await store(change);
  return actor.broker;
}

/** What the first checks of a request need; the transfer token in the body is hashed by `sha256` before anything keeps it. */
export interface OwnershipInput {
  readonly body: BodyResult;
  readonly actor: Actor;
  readonly sha256: (text: string) => string;
}

/** Runs the checks that need no other service. Throws their refusal. */
export function admitRequest<R>(
  request: FastifyRequest,
  admit: (input: OwnershipInput) => { readonly request: R } | { readonly refused: Problem },
): { readonly request: R; readonly actor: Actor } {
  const actor = actorOf(request.identity);
  const body = readJsonBody(request.headers['content-type'], request.body);
  const admission = admit({ body, actor, sha256: sha256Hex });
  if ('refused' in admission) throw new ProblemError(admission.refused);
  return { request: admission.request, actor };
}

const TIMEOUT_MS = 2_000;

export function remoteLevels(bus: Bus): BrokerLevelsOf {
  return async (name) => {
    const value = await request(bus, 'the gateway', rpcSubjects.brokerLevels, { name } satisfies BrokerLevelsRequest);
    return value === undefined ? undefined : BrokerLevels.parse(value).levels;
  };
}

export function remoteTransfers(bus: Bus): TransferSource {
  const owner = 'the tenders service';
  return {
    async find(id) {
      const value = await request(bus, owner, rpcSubjects.transfer, { id } satisfies TransferRequest);
      return value === undefined ? undefined : TransferRecord.parse(value);
    },
    claim: async (id, usedFor) =>
      (await request(bus, owner, rpcSubjects.claimTransfer, { id, usedFor } satisfies ClaimTransferRequest)) === true,
  };
}

async function request(bus: Bus, service: string, subject: string, payload: unknown): Promise<unknown> {
  const response = await sendRequest(bus, subject, payload, TIMEOUT_MS);
  if (response.kind === 'unavailable') throw new UnavailableError(service);
  return response.value ?? undefined;
}
