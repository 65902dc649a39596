import { describe, expect, it } from 'vitest';
import { codesOf, readMirror, MIRRORS, Reader } from '../test-support/mirror.ts';

describe.each(MIRRORS)('mirror %s', (name) => {
  const mirror = readMirror(name);

  it.each([
    ['tender', ['tender', mirror.tender, '--full']],
    ['opening', ['opening', mirror.tender]],
  ] as const)('%s gives what is expected', async (command, args) => {
    const answer = await new Reader(mirror).check(...args);
    expect(answer.error).toBeUndefined();
    const { findings, exit } = mirror.expected[command];
    expect({ findings: codesOf(answer), exit: answer.exit }).toEqual({ findings, exit });
  });
});
