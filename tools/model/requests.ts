import { addsBlockingComplaint, cancels } from '../../services/tenders/src/domain/frozen-changes.ts';
import { signsContract } from '../../services/awards/src/domain/signing.ts';
import {
  acceptsBid,
  activateAward,
  BID_IDS,
  cancelTender,
  factsOf,
  fileClaim,
  SETTINGS,
  signContract,
} from './deciders.ts';
import type { Step } from './explore.ts';
import { allFrozen, ended, freezeKindOf, lift, mayDecide, beginFreeze, withRequest } from './freezes.ts';
import { saveAwarding, saveTender } from './flows.ts';
import type { Fix, Request, World } from './world.ts';

// What the stores of the services do for a request: read, lock, decide, store. A lock makes the last three one step.

/** The next steps of the process of each request. */
export function requestSteps(world: World, removed?: Fix): readonly Step<World>[] {
  return Object.entries(world.requests).flatMap(([id, request]) =>
    request.step === 'ended' ? [] : STEPS[request.kind](world, id, request, removed),
  );
}

type Steps = (world: World, id: string, request: Request, removed: Fix | undefined) => readonly Step<World>[];

const STEPS: Readonly<Record<Request['kind'], Steps>> = {
  bid: (...args) => readThenDecide(...args, 'bids', storeBid),
  award: (...args) => readThenDecide(...args, 'awards', storeAward),
  sign: signSteps,
  claim: claimSteps,
  cancel: cancelSteps,
};

const fair = (name: string, next: World): Step<World> => ({ name, next, isFair: true });
const crash = (world: World, id: string): Step<World> => ({
  name: `${id}: its process ends`,
  next: ended(world, id),
  isFair: false,
});

/** A request that reads the copy of the tender before its lock, and waits, reads again or gives up at a freeze. */
function readThenDecide(
  world: World,
  id: string,
  request: Request,
  removed: Fix | undefined,
  service: 'bids' | 'awards',
  store: Steps,
): readonly Step<World>[] {
  const { facts } = request;
  if (facts === undefined) {
    const read = {
      ...request,
      step: 'read',
      facts: world.copy,
      ...(service === 'bids' ? { phase: world.bidding.phase } : {}),
    } as const;
    return [fair(`${id} is read`, withRequest(world, id, read))];
  }
  if (mayDecide(world, service, facts.version, removed)) return store(world, id, request, removed);
  const givesUp = fair(`${id} gives up`, ended(world, id));
  if (world.held[service].isHeld) return [givesUp];
  return [givesUp, fair(`${id} is read again`, withRequest(world, id, { ...request, facts: factsOf(world.tender) }))];
}

function storeBid(
  world: World,
  id: string,
  { facts, phase }: Request,
  removed: Fix | undefined,
): readonly Step<World>[] {
  if (facts === undefined) return [];
  const {
    bidding,
    tender,
    ended: { bids: hasEnded },
  } = world;
  const decidedPhase = removed === 'read the phase under the lock' && phase !== undefined ? phase : bidding.phase;
  const bidId = id === 'bid 2' ? BID_IDS[1] : BID_IDS[0];
  // The clocks of replicas differ a little: after the end by one clock, another one may still be before it.
  const clocks = hasEnded ? [true, false] : [false];
  return clocks.map((isAfterEnd) => {
    if (acceptsBid(facts, decidedPhase, bidId, isAfterEnd)) {
      const stored = { ...world, bidding: { ...bidding, ids: [...bidding.ids, bidId] } };
      return fair(`${id} is accepted`, withFault(ended(stored, id), bidFault(world)));
    }
    const isOnTime = !hasEnded && tender.document.status === 'active.tendering';
    return fair(`${id} is refused`, withFault(ended(world, id), isOnTime ? 'a bid on time was refused' : undefined));
  });
}

function bidFault({ tender, bidding }: World): string | undefined {
  if (bidding.answered !== undefined) return 'a bid was accepted after the sealed set was answered';
  return tender.document.status === 'cancelled' ? 'a bid was accepted after the cancellation' : undefined;
}

function withFault(world: World, fault: string | undefined): World {
  return fault === undefined ? world : { ...world, fault };
}

function afterCancellation({ tender }: World, what: string): string | undefined {
  return tender.document.status === 'cancelled' ? `${what} after the cancellation` : undefined;
}

function storeAward(world: World, id: string, { facts }: Request): readonly Step<World>[] {
  const awarding = facts === undefined ? undefined : activateAward(world.awarding, facts);
  if (awarding === undefined) return [fair(`${id} is refused`, ended(world, id))];
  const stored = ended(saveAwarding(world, awarding), id);
  return [fair(`${id} is accepted`, withFault(stored, afterCancellation(world, 'an award was decided')))];
}

/** A contract is signed in two decisions; the second one while tenders holds complaints (decision 0060). */
function signSteps(world: World, id: string, request: Request, removed: Fix | undefined): readonly Step<World>[] {
  const { step, facts } = request;
  if (step === 'new' || step === 'read') return readThenDecide(world, id, request, removed, 'awards', signFirst);
  const kind = freezeKindOf(request);
  const faults = [crash(world, id), fair(`${id} gives up`, lift(world, id, request, kind))];
  if (step === 'lifting') return [crash(world, id), fair(`${id} lifts`, lift(world, id, request, kind))];
  if (step === 'raising') {
    if (!allFrozen(world, request, kind)) return faults;
    const current = removed === 'read complaints while they are held' ? facts : factsOf(world.tender);
    return [
      ...faults,
      fair(
        `${id} reads complaints`,
        withRequest(world, id, { kind: request.kind, number: request.number, step: 'frozen', facts: current }),
      ),
    ];
  }
  const { number, open } = world.begun.signing;
  const maySign = facts !== undefined && mayDecide(world, 'awards', facts.version, removed);
  if (!maySign || !open || number !== request.number) return faults;
  const awarding = signContract(world.awarding, facts);
  if (awarding === undefined) return [...faults, fair(`${id} is refused`, lift(world, id, request, kind))];
  const signed = saveAwarding({ ...world, begun: { ...world.begun, signing: { number, open: false } } }, awarding);
  const lifting = withRequest(signed, id, { kind: request.kind, number: request.number, step: 'lifting' });
  return [...faults, fair(`${id} is stored`, withFault(lifting, afterCancellation(world, 'a contract was signed')))];
}

function signFirst(world: World, id: string, request: Request, removed: Fix | undefined): readonly Step<World>[] {
  const awarding = request.facts === undefined ? undefined : signContract(world.awarding, request.facts);
  if (awarding === undefined) return [fair(`${id} is refused`, ended(world, id))];
  if (signsContract(world.awarding, awarding) && removed !== 'hold complaints while signing') {
    return beginFreeze(world, id, request, 'signing');
  }
  const signed = ended(saveAwarding(world, awarding), id);
  return [fair(`${id} is stored`, withFault(signed, afterCancellation(world, 'a contract was signed')))];
}

/** A claim is decided under the lock of the tender, and waits for a signing. */
function claimSteps(world: World, id: string, _request: Request, removed: Fix | undefined): readonly Step<World>[] {
  const { tender } = world;
  const { state, events, refused } = fileClaim(tender);
  if (refused !== undefined) return [fair(`${id} is refused`, ended(world, id))];
  const isBlocking = addsBlockingComplaint(tender, state, SETTINGS.complaintsMode);
  const version = removed === 'wait for the signed contract' ? Infinity : (tender.awards?.version ?? 0);
  if (isBlocking && !mayDecide(world, 'tenders', version, removed)) {
    return [fair(`${id} gives up`, ended(world, id))];
  }
  return [fair(`${id} is accepted`, ended(saveTender(world, state, events), id))];
}

/** A cancellation is decided without a freeze, and again while all deciders hold it (decision 0060). */
function cancelSteps(world: World, id: string, request: Request, removed: Fix | undefined): readonly Step<World>[] {
  const kind = freezeKindOf(request);
  const { state, events, refused } = cancelTender(world.tender);
  if (request.step === 'new') {
    if (refused !== undefined) return [fair(`${id} is refused`, ended(world, id))];
    if (cancels(world.tender, state) && removed !== 'freeze before a cancellation')
      return beginFreeze(world, id, request, kind);
    return [fair(`${id} is stored`, ended(saveTender(world, state, events), id))];
  }
  if (request.step === 'lifting') return [crash(world, id), fair(`${id} lifts`, lift(world, id, request, kind))];
  const faults = [crash(world, id), fair(`${id} gives up`, lift(world, id, request, kind))];
  const { number, open } = world.begun.cancellation;
  if (!allFrozen(world, request, kind) || !hasAppliedAwards(world, request, removed)) return faults;
  if (refused !== undefined) return [...faults, fair(`${id} is refused`, lift(world, id, request, kind))];
  if (!open || number !== request.number) return faults;
  const stored = saveTender(
    { ...world, begun: { ...world.begun, cancellation: { number, open: false } } },
    state,
    events,
  );
  return [
    ...faults,
    fair(`${id} is stored`, withRequest(stored, id, { kind: request.kind, number: request.number, step: 'lifting' })),
  ];
}

/** Whether tenders has the awards that were decided before they were frozen: a signed contract has completed the tender. */
function hasAppliedAwards({ tender }: World, { versions = {} }: Request, removed: Fix | undefined): boolean {
  if (removed === 'wait for awards before a cancellation') return true;
  return (tender.awards?.version ?? 0) >= (versions.awards ?? 0);
}
