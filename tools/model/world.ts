import type { HeldFreeze, OpenFreeze } from '@procurement/kit/messaging/request/freeze-rules';
import type { AwardFacts } from '@procurement/contracts/resources/award-facts';
import type { TenderFacts } from '@procurement/contracts/resources/tender-facts';
import type { AwardingState } from '../../services/awards/src/domain/awarding.ts';
import type { BiddingPhase } from '../../services/bids/src/domain/bid.ts';
import type { TenderState } from '../../services/tenders/src/domain/tender.ts';

/** What a mutation of the model removes, one at a time. Each stands for a rule of architecture.md, "Handshakes" and "Flows that wait". */
export type Fix =
  | 'ask again'
  | 'follow the owner'
  | 'seal by the clock of bids'
  | 'read the phase under the lock'
  | 'freeze before a cancellation'
  | 'read the freeze'
  | 'compare the facts with the freeze'
  | 'number the freezes'
  | 'wait for awards before a cancellation'
  | 'ask for the outcome of a freeze'
  | 'close a freeze before its outcome'
  | 'hold complaints while signing'
  | 'read complaints while they are held'
  | 'wait for the signed contract'
  | 'apply each version of awards once';

export type Decider = 'bids' | 'awards' | 'tenders';

/** Tenders begins `cancellation`, awards begins `signing`. */
export type FreezeKind = 'cancellation' | 'signing';

/** Events between services. `name` differs when the content does. */
export type Event =
  | {
      readonly name: string;
      readonly type: 'tendering-ended' | 'qualification-due' | 'tender-cancelled' | 'set-erased';
    }
  | { readonly name: string; readonly type: 'set-sealed' | 'bids-opened'; readonly bids: readonly string[] }
  | { readonly name: string; readonly type: 'award-changed'; readonly facts: AwardFacts }
  | { readonly name: string; readonly type: 'tender-changed'; readonly facts: TenderFacts };

/** A request of one service that waits for the response, or the response. It is never repeated, and may come at any later time. */
export type Call =
  | {
      readonly name: string;
      readonly type: 'freeze';
      readonly kind: FreezeKind;
      readonly to: Decider;
      readonly number: number;
    }
  | {
      readonly name: string;
      readonly type: 'frozen';
      readonly kind: FreezeKind;
      readonly from: Decider;
      readonly number: number;
      readonly version: number;
    }
  | {
      readonly name: string;
      readonly type: 'lift';
      readonly kind: FreezeKind;
      readonly to: Decider;
      readonly number: number;
      readonly version: number;
    };

/** The process that serves the request of a client. */
export interface Request {
  readonly kind: 'bid' | 'award' | 'sign' | 'claim' | 'cancel';
  readonly step: 'new' | 'read' | 'raising' | 'frozen' | 'lifting' | 'ended';
  /** What was read before the lock. */
  readonly facts?: TenderFacts | undefined;
  readonly phase?: BiddingPhase;
  /** The freeze that this request began, and the versions in the responses. */
  readonly number?: number | undefined;
  readonly versions?: Readonly<Partial<Record<Decider, number>>>;
}

/** All services at one instant. Parts are never changed, so equal parts are compared once. */
export interface World {
  readonly tender: TenderState;
  readonly awarding: AwardingState;
  readonly bidding: {
    readonly phase: BiddingPhase;
    readonly ids: readonly string[];
    /** The first sealed set that was answered. */
    readonly answered?: readonly string[];
  };
  /** Facts of the tender in the service that the requests are for; absent when no request reads them. */
  readonly copy?: TenderFacts | undefined;
  /** The services that a freeze stops. Those that get no request are left out: they would only multiply states. */
  readonly deciders: Readonly<Record<FreezeKind, readonly Decider[]>>;
  readonly held: Readonly<Record<Decider, HeldFreeze>>;
  readonly begun: Readonly<Record<FreezeKind, OpenFreeze>>;
  readonly requests: Readonly<Record<string, Request>>;
  /** Sorted by name. An event stays after its delivery: it may come again, until it is lost. */
  readonly events: readonly Event[];
  readonly calls: readonly Call[];
  /** Whether the tendering period has ended by the clock of a service. */
  readonly ended: { readonly tenders: boolean; readonly bids: boolean };
  /** Whether the period can end in this scenario. Where it cannot, fewer states are to be visited. */
  readonly mayEnd: boolean;
  /** Whether tenders waits for the erasure of the bids (`flow_wait`). */
  readonly isErasing: boolean;
  /** What must not have happened, and did. */
  readonly fault?: string;
}

/** The same list with a message; the list itself when it is there already. */
export function withMessage<T extends { readonly name: string }>(list: readonly T[], message: T): readonly T[] {
  if (list.some(({ name }) => name === message.name)) return list;
  return [...list, message].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const numberByPart = new WeakMap<object, number>();
const numberByText = new Map<string, number>();

/** A number for a part of a world: the same for equal parts. */
export function numberPart(part: object): number {
  const known = numberByPart.get(part);
  if (known !== undefined) return known;
  const text = JSON.stringify(part);
  const number = numberByText.get(text) ?? numberByText.size;
  numberByText.set(text, number);
  numberByPart.set(part, number);
  return number;
}

/** The key is equal for equal worlds. */
export function formatKey(world: World): string {
  const { isErasing, fault = '', events, calls, requests, deciders: _same, mayEnd: _always, copy, ...parts } = world;
  const names = [...events, ...calls].map(({ name }) => name).join(';');
  const processes = Object.values(requests).map(keyOfRequest).join(';');
  return [...Object.values(parts).map(numberPart), copy?.version, isErasing, fault, names, processes].join(' ');
}

/** Leaves out the text of the facts, which is long. */
function keyOfRequest({ facts, ...request }: Request): string {
  return `${JSON.stringify(request)} ${facts === undefined ? '' : numberPart(facts)}`;
}
