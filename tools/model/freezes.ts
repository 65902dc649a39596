import { allowsDecision } from '@procurement/kit/messaging/request/decision-freeze';
import { afterClose, afterFreeze, afterLift } from '@procurement/kit/messaging/request/freeze-rules';
import type { Step } from './explore.ts';
import { withMessage, type Call, type Decider, type FreezeKind, type Fix, type Request, type World } from './world.ts';

// The messages of decision 0060. What they do to a freeze are the rules of kit, which its statements follow.

const KIND_HELD_BY = { bids: 'cancellation', awards: 'cancellation', tenders: 'signing' } as const;

/** The version of the state that a decider locks; bids has none that the freezer waits for. */
function versionOf({ tender, awarding }: World, decider: Decider): number {
  return { bids: 0, awards: awarding.version, tenders: tender.version }[decider];
}

/** The version of the state that a freeze protects while it changes. */
function frozenVersionOf({ tender, awarding }: World, kind: FreezeKind): number {
  return kind === 'cancellation' ? tender.version : awarding.version;
}

/** Whether a decision may be made by facts of this version. */
export function mayDecide({ held }: World, decider: Decider, factsVersion: number, removed?: Fix): boolean {
  if (removed === 'read the freeze') return true;
  return allowsDecision(held[decider], removed === 'compare the facts with the freeze' ? Infinity : factsVersion);
}

export function withRequest(world: World, id: string, request: Request): World {
  return { ...world, requests: { ...world.requests, [id]: request } };
}

/** The client has its answer, or its connection is gone. */
export function ended(world: World, id: string): World {
  const request = world.requests[id];
  return request === undefined ? world : withRequest(world, id, { kind: request.kind, step: 'ended' });
}

function call(world: World, message: Call): World {
  return { ...world, calls: withMessage(world.calls, message) };
}

/** Opens a freeze and asks all deciders to freeze. Waits while another freeze of the tender is open. */
export function beginFreeze(world: World, id: string, request: Request, kind: FreezeKind): readonly Step<World>[] {
  const { number: last, open } = world.begun[kind];
  // A freeze is replaced when it is open for 10 s (`BEGIN` of decision-freezer.ts), in the model at any time unless its freezer lives.
  if (open && Object.values(world.requests).some((other) => other.number === last && isRaising(other))) return [];
  const number = last + 1;
  let next: World = { ...world, begun: { ...world.begun, [kind]: { number, open: true } } };
  for (const to of world.deciders[kind]) {
    next = call(next, { name: `freeze ${kind} ${number} ${to}`, type: 'freeze', kind, to, number });
  }
  return [
    {
      name: `${id} begins ${number}`,
      next: withRequest(next, id, { ...request, step: 'raising', number, versions: {} }),
      isFair: true,
    },
  ];
}

function isRaising({ step }: Request): boolean {
  return step === 'raising' || step === 'frozen' || step === 'lifting';
}

/** Closes the freeze, as the freezer does before it lifts, with and without a decision. */
export function close(world: World, kind: FreezeKind, number: number): World {
  const begun = afterClose(world.begun[kind], number);
  return begun === world.begun[kind] ? world : { ...world, begun: { ...world.begun, [kind]: begun } };
}

/** Ends a request that began a freeze: sends `lift` to all deciders. */
export function lift(world: World, id: string, request: Request, kind: FreezeKind): World {
  const { number = 0 } = request;
  let next = close(world, kind, number);
  const version = frozenVersionOf(next, kind);
  for (const to of world.deciders[kind]) {
    next = call(next, { name: `lift ${kind} ${number} ${to} by ${version}`, type: 'lift', kind, to, number, version });
  }
  return ended(next, id);
}

/** Whether all deciders have frozen for this request. */
export function allFrozen({ deciders }: World, { versions = {} }: Request, kind: FreezeKind): boolean {
  return deciders[kind].every((decider) => versions[decider] !== undefined);
}

/** Calls may arrive at any time, in any order, again, or never. */
export function callSteps(world: World, removed?: Fix): readonly Step<World>[] {
  return world.calls.flatMap((message) => {
    const next = receive(world, message, removed);
    return next === world ? [] : [{ name: message.name, next, isFair: false }];
  });
}

function receive(world: World, message: Call, removed: Fix | undefined): World {
  switch (message.type) {
    case 'freeze':
      return freeze(world, message, removed);
    case 'frozen':
      return takeResponse(world, message);
    case 'lift':
      return liftAt(world, message.to, message.number, message.version, removed);
    default:
      return message satisfies never;
  }
}

function freeze(
  world: World,
  { kind, to, number }: Call & { readonly type: 'freeze' },
  removed: Fix | undefined,
): World {
  const before = world.held[to];
  const held = removed === 'number the freezes' ? { ...before, number, isHeld: true } : afterFreeze(before, number);
  // The decider answers `frozen: false`, which the freezer takes as a refusal.
  if (held === undefined) return world;
  const version = versionOf(world, to);
  const name = `frozen ${kind} ${number} ${to} at ${version}`;
  const frozen = { ...world, held: { ...world.held, [to]: held } };
  return call(frozen, { name, type: 'frozen', kind, from: to, number, version });
}

function takeResponse(world: World, { kind, from, number, version }: Call & { readonly type: 'frozen' }): World {
  const waiting = Object.entries(world.requests).find(
    ([, request]) => request.step === 'raising' && request.number === number && kind === freezeKindOf(request),
  );
  if (waiting === undefined) return world;
  const [id, request] = waiting;
  if (request.versions?.[from] !== undefined) return world;
  return withRequest(world, id, { ...request, versions: { ...request.versions, [from]: version } });
}

export function freezeKindOf({ kind }: Request): FreezeKind {
  return kind === 'cancel' ? 'cancellation' : 'signing';
}

function liftAt(world: World, at: Decider, number: number, version: number, removed: Fix | undefined): World {
  const held = world.held[at];
  const lifted = afterLift(held, removed === 'number the freezes' ? Math.max(held.number, number) : number, version);
  const isSame = held.number === lifted.number && held.isHeld === lifted.isHeld && held.version === lifted.version;
  return isSame ? world : { ...world, held: { ...world.held, [at]: lifted } };
}

/** Removes the calls that have no effect any more, also if they arrive again. They only multiply states. */
export function withoutSpentCalls(world: World, removed?: Fix): World {
  // Without numbers a call that comes again has an effect again.
  if (removed === 'number the freezes') return world;
  const calls = world.calls.filter((message) => receive(world, message, removed) !== world);
  return calls.length === world.calls.length ? world : { ...world, calls };
}

/** A decider whose decisions are stopped asks the freezer for the outcome. Time says only when to ask, so here it may at any time. */
export function outcomeSteps(world: World, removed?: Fix): readonly Step<World>[] {
  if (removed === 'ask for the outcome of a freeze') return [];
  return (['bids', 'awards', 'tenders'] as const).flatMap((decider) => {
    const { number, isHeld } = world.held[decider];
    if (!isHeld) return [];
    const kind = KIND_HELD_BY[decider];
    const closed = removed === 'close a freeze before its outcome' ? world : close(world, kind, number);
    const next = liftAt(closed, decider, number, frozenVersionOf(closed, kind), removed);
    return [{ name: `${decider} asks for the outcome of ${number}`, next, isFair: true }];
  });
}
