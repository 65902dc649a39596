import { blocksTender } from '@procurement/domain/complaint-blocking';
import { SETTINGS } from './deciders.ts';
import type { Model, Step } from './explore.ts';
import { callSteps, outcomeSteps, withoutSpentCalls } from './freezes.ts';
import { clockSteps, copySteps, eventSteps, repeatSteps, withoutSpentEvents } from './flows.ts';
import { requestSteps } from './requests.ts';
import { formatKey, type Fix, type World } from './world.ts';

/** The handshakes of architecture.md from a state on, with all their rules or without one of them. */
export function handshakes(initial: World, removed?: Fix): Model<World> {
  return {
    initial,
    formatKey,
    findViolation,
    isDone,
    steps: (world) =>
      listSteps(world, removed).map((step) => ({
        ...step,
        next: withoutSpentCalls(withoutSpentEvents(step.next, removed), removed),
      })),
  };
}

function listSteps(world: World, removed: Fix | undefined): readonly Step<World>[] {
  return [
    ...clockSteps(world),
    ...requestSteps(world, removed),
    ...callSteps(world, removed),
    ...eventSteps(world, removed),
    ...repeatSteps(world, removed),
    ...outcomeSteps(world, removed),
    ...copySteps(world, removed),
  ];
}

/** What must never be, whatever was lost, repeated or late. The rest is in `fault`, because it depends on what was before. */
const PROPERTIES: readonly (readonly [string, (world: World) => boolean])[] = [
  ['an acknowledged bid is missing from the sealed set', isBidMissing],
  ['a contract is signed and its tender cancelled', (world) => isCancelled(world) && isSigned(world.awarding)],
  [
    'a complete tender has a blocking complaint',
    ({ tender: { document } }) => document.status === 'complete' && blocksTender(document, SETTINGS.complaintsMode),
  ],
  [
    'a complete tender shows no signed contract',
    ({ tender: { document, awards } }) => document.status === 'complete' && !isSigned(awards),
  ],
];

function findViolation(world: World): string | undefined {
  return world.fault ?? PROPERTIES.find(([, isViolated]) => isViolated(world))?.[0];
}

/** Bids that are stored have been answered with 201. An erased set is that of a cancelled tender. */
function isBidMissing({ tender: { bidding }, bidding: { phase, ids } }: World): boolean {
  if (!('bids' in bidding) || phase === 'erased') return false;
  return ids.some((id) => bidding.bids.every((bid) => bid.id !== id));
}

function isCancelled({ tender }: World): boolean {
  return tender.document.status === 'cancelled';
}

function isSigned(awards: { readonly contracts: readonly { readonly status: string }[] } | undefined): boolean {
  return awards?.contracts.some(({ status }) => status === 'active') ?? false;
}

/** Every request has its answer, nothing is frozen, and all services agree. */
function isDone({ tender, awarding, copy, held, requests, isErasing, mayEnd }: World): boolean {
  return (
    Object.values(requests).every(({ step }) => step === 'ended') &&
    Object.values(held).every(({ isHeld }) => !isHeld) &&
    (copy?.version ?? tender.version) === tender.version &&
    (tender.awards?.version ?? 0) >= awarding.version &&
    !(mayEnd && tender.document.status === 'active.tendering') &&
    !isErasing
  );
}
