import { describe, expect, it } from 'vitest';
import { planRestores } from './restores.ts';

describe('planRestores', () => {
  it('goes back to where tenders was restored, and no further forward', () => {
    const epoch = { epoch: 2, restoredTo: 50, began: 200 };
    expect(planRestores({ position: 100, newest: 100 }, [epoch])).toEqual({ restores: [epoch], position: 50 });
    expect(planRestores({ position: 40, newest: 40 }, [epoch])).toEqual({ restores: [epoch], position: 40 });
  });

  it('logs several restores in their order', () => {
    const epochs = [
      { epoch: 2, restoredTo: 50, began: 200 },
      { epoch: 3, restoredTo: 240, began: 300 },
    ];
    expect(planRestores({ position: 100, newest: 100 }, epochs)).toEqual({ restores: epochs, position: 50 });
  });

  it('waits when the clock went back, until a later epoch takes the same back', () => {
    const bad = { epoch: 2, restoredTo: 50, began: 100 };
    expect(planRestores({ position: 100, newest: 100 }, [bad])).toEqual({ waitUntil: 100 });
    const later = { epoch: 3, restoredTo: 50, began: 101 };
    expect(planRestores({ position: 100, newest: 100 }, [bad, later])).toEqual({ restores: [later], position: 50 });
    // What was published in the bad epoch could not be logged.
    expect(planRestores({ position: 100, newest: 100 }, [bad, { ...later, restoredTo: 60 }])).toEqual({
      waitUntil: 100,
    });
  });
});
