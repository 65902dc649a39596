import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeDeliveryWindow, type DeliveryState, type DueChange, type ParkedChange } from './delivery-window.ts';

const CLOSED = { isOpen: false, isDue: true };
const OPEN = { isOpen: true, isDue: true };
const NEW: DeliveryState = { position: 0n, redeliveredTo: 0n, parked: [] };
const failure = (retryAt: number | undefined, isFree = false) => ({ retryAt, isFree, now: 0, error: '500' });

/** Changes 1, 2, ... of these tenders. */
function makeWindow(tenders: string, state = NEW) {
  const list = tenders.split(' ');
  const window = makeDeliveryWindow(state);
  window.add(
    list.map((tender, n) => ({ position: BigInt(n + 1), tender })),
    BigInt(list.length),
  );
  return window;
}

function takeAll(window: ReturnType<typeof makeWindow>, now = 0): DueChange[] {
  const taken: DueChange[] = [];
  for (let change = window.next(now, CLOSED); change !== undefined; change = window.next(now, CLOSED))
    taken.push(change);
  return taken;
}

const places = (changes: readonly { position: bigint }[]) => changes.map(({ position }) => Number(position));

describe('makeDeliveryWindow', () => {
  it('sends one change of each tender at a time, and the cursor waits for the earliest', () => {
    const window = makeWindow('a a b c');
    const [a, b, c] = takeAll(window);
    expect(places([a!, b!, c!])).toEqual([1, 3, 4]);
    window.delivered(b!);
    expect(window.cursor()).toBe(0n);
    window.delivered(a!);
    expect(window.cursor()).toBe(1n);
    expect(places(takeAll(window))).toEqual([2]);
  });

  it('parks a failed change with the later ones of its tender, and others go on', () => {
    const window = makeWindow('a a b');
    const [a, b] = takeAll(window);
    window.failed(a!, failure(100));
    window.delivered(b!);
    expect(window.cursor()).toBe(3n);
    const { parked } = window.takeChanges();
    expect(parked).toEqual([
      { position: 1n, tender: 'a', attempts: 1, nextAt: 100, redelivery: false, lastError: '500' },
      { position: 2n, tender: 'a', attempts: 0, redelivery: false },
    ]);
    window.add([{ position: 4n, tender: 'a' }], 4n);
    expect(places(window.takeChanges().parked)).toEqual([4]);
    expect(takeAll(window, 99)).toEqual([]);
    const [again] = takeAll(window, 100);
    expect(places([again!])).toEqual([1]);
    window.delivered(again!);
    expect(window.takeChanges().unparked).toEqual([1n]);
    expect(places(takeAll(window, 100))).toEqual([2]);
  });

  it('gives a change up after its last attempt, and its tender goes on', () => {
    const window = makeWindow('a a');
    const [a] = takeAll(window);
    window.failed(a!, failure(1));
    const [again] = takeAll(window, 1);
    window.takeChanges();
    window.failed(again!, failure(undefined));
    expect(window.takeChanges().parked).toMatchObject([{ position: 1n, attempts: 2, deadAt: 0 }]);
    expect(places(takeAll(window, 1))).toEqual([2]);
    expect(window.parkedCount).toBe(1);
  });

  it('tries one parked change at a time while the circuit is open, each in turn, and counts none of it', () => {
    const window = makeWindow('a b c');
    const [a, b] = takeAll(window);
    window.failed(a!, failure(50));
    window.failed(b!, failure(60));
    expect(window.canRead(OPEN)).toBe(false);
    expect(window.next(0, OPEN)).toBeUndefined();
    const parked = makeDeliveryWindow({ ...NEW, position: 3n, parked: window.takeChanges().parked });
    const first = parked.next(0, OPEN);
    expect(first).toMatchObject({ position: 1n, attempts: 1 });
    expect(parked.next(0, OPEN)).toBeUndefined();
    parked.failed(first!, failure(70, true));
    expect(parked.takeChanges().parked).toMatchObject([{ position: 1n, attempts: 1, nextAt: 70 }]);
    expect(parked.next(0, OPEN)).toMatchObject({ position: 2n });
  });

  it('marks what was delivered before', () => {
    const window = makeWindow('a b', { ...NEW, redeliveredTo: 1n });
    expect(takeAll(window).map(({ redelivery }) => redelivery)).toEqual([true, false]);
  });

  it('keeps what could not be stored for the next time', () => {
    const window = makeWindow('a');
    const [a] = takeAll(window);
    window.failed(a!, failure(5));
    const changes = window.takeChanges();
    expect(window.hasChanges()).toBe(false);
    window.restoreChanges(changes);
    expect(window.takeChanges()).toEqual(changes);
  });

  it('delivers everything, in order for each tender, whatever fails and whenever the process is killed', () => {
    const run = fc.record({
      tenders: fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 30 }),
      fates: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 200 }),
    });
    fc.assert(
      fc.property(run, ({ tenders, fates }) => {
        const all = tenders.map((tender, n) => ({ position: BigInt(n + 1), tender: String(tender) }));
        let stored: { position: bigint; parked: Map<bigint, ParkedChange> } = { position: 0n, parked: new Map() };
        let window = makeDeliveryWindow(NEW);
        const received: bigint[] = [];
        const inFlight: DueChange[] = [];
        const save = (): void => {
          const { position, parked, unparked } = window.takeChanges();
          for (const change of parked) stored.parked.set(change.position, change);
          for (const change of unparked) stored.parked.delete(change);
          stored = { ...stored, position };
        };
        const read = (): void => {
          const page = all.filter(({ position }) => position > window.readTo).slice(0, 7);
          if (page.length > 0) window.add(page, page.at(-1)!.position);
        };
        let now = 0;
        const settleOne = (fate: number): void => {
          const change = inFlight.splice(fate % Math.max(inFlight.length, 1), 1)[0];
          if (change === undefined) return;
          if (fate % 3 === 0) return window.failed(change, failure(now + fate));
          received.push(change.position);
          window.delivered(change);
        };
        const turn = (fate: number): void => {
          now += 1;
          read();
          for (let change = window.next(now, CLOSED); change !== undefined; change = window.next(now, CLOSED)) {
            inFlight.push(change);
          }
          settleOne(fate);
          if (fate % 2 === 0) save();
          if (fate !== 9) return;
          inFlight.length = 0;
          const parked = [...stored.parked.values()].sort((a, b) => Number(a.position - b.position));
          window = makeDeliveryWindow({ position: stored.position, redeliveredTo: 0n, parked });
        };
        fates.forEach(turn);
        for (let n = 0; n < 400; n += 1) turn(1);
        expect(new Set(received)).toEqual(new Set(all.map(({ position }) => position)));
        for (const { tender } of all) {
          const own = all.filter((one) => one.tender === tender).map(({ position }) => position);
          // First deliveries are in order; a repetition after a kill may be anywhere later.
          const firsts = received.filter((one, at) => own.includes(one) && received.indexOf(one) === at);
          expect(firsts).toEqual(own);
        }
      }),
      { numRuns: 150 },
    );
  });
});
