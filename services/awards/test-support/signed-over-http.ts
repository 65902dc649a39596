import { createAwarded } from './awarding-fixtures.ts';
import { AFTER_STAND_STILL, NOW, ownerHeaders, send, type RunningAwards } from './running-awards.ts';

/** A contract that its owner has signed for 380.0 UAH, and its address. */
export async function createSigned(running: RunningAwards) {
  running.clock.set(NOW);
  const awarded = await createAwarded(running);
  running.clock.set(AFTER_STAND_STILL);
  const path = `/contracts/${awarded.contract.id}`;
  const response = await send(running.app, 'PATCH', path, ownerHeaders, { status: 'active', value: { amount: 380 } });
  if (response.statusCode !== 200) throw new Error(`signing failed: ${response.body}`);
  const tender = running.changeAtOwner(awarded.tender, { status: 'complete' });
  return { ...awarded, tender, path, signed: response.json().data };
}
