import { startStack, type Stack } from '@procurement/local-stack/stack';
import { startTestRoom, type TestRoom } from './auction-room.ts';
import { PATIENCE } from './patience.ts';

/** A system whose auctions a room holds. */
export interface RoomSystem {
  readonly gatewayUrl: string;
  readonly room: TestRoom;
  stop(): Promise<void>;
}

/** Turns last two minutes: only the tests move the clock. */
export const SLOW_TURNS = { SANDBOX_ACCELERATES_STAGES: 'off' } as const;

/**
 * Starts both. A room takes every auction of its system, also that of a test which reports the results itself: tests with a room share
 * no system. `env`: other settings of the room.
 */
export async function startRoomSystem(env: Readonly<Record<string, string>> = {}): Promise<RoomSystem> {
  const stack = await startStack({ durable: false, env: PATIENCE });
  try {
    const room = await startTestRoom(stack.gatewayUrl, { ...SLOW_TURNS, ...env });
    return { gatewayUrl: stack.gatewayUrl, room, stop: async () => stopBoth(room, stack) };
  } catch (error) {
    await stack.stop();
    throw error;
  }
}

/** Stops the system also if the room does not stop. */
export async function stopBoth(room: TestRoom, stack: Stack): Promise<void> {
  try {
    await room.stop();
  } finally {
    await stack.stop();
  }
}
