import { describe, expect, it } from 'vitest';
import { printLog, readableLine } from './service-log.ts';

const TIME = '2026-11-21T10:15:00.200Z';

describe('readableLine', () => {
  it('shows time, service, level, message, members and stack', () => {
    const entry = {
      level: 'error',
      time: TIME,
      service: 'bids',
      msg: 'failed',
      id: 7,
      err: { stack: 'Error: x\n  at y' },
    };
    expect(readableLine('bids', 'warn', JSON.stringify(entry))).toBe(
      '10:15:00 bids error failed {"id":7}\nError: x\n  at y',
    );
  });

  it('hides entries below the level', () => {
    const info = JSON.stringify({ level: 'info', time: TIME, msg: 'serving' });
    expect(readableLine('bids', 'warn', info)).toBeUndefined();
    expect(readableLine('bids', 'info', info)).toBe('10:15:00 bids info serving');
  });

  it('keeps text that is not a log entry', () => {
    expect(readableLine('bids', 'warn', 'bid.ts:3:1: ERROR: Unexpected ";"')).toBe('bid.ts:3:1: ERROR: Unexpected ";"');
    expect(readableLine('bids', 'warn', '{"no": "entry"}')).toBe('{"no": "entry"}');
    expect(readableLine('bids', 'warn', '')).toBeUndefined();
  });
});

describe('printLog', () => {
  it('prints whole lines, also when a chunk ends within a character', () => {
    const lines: string[] = [];
    const onOutput = printLog('bids', 'warn', (line) => lines.push(line));
    const bytes = Buffer.from('перша\nдруга\nrest');
    onOutput(bytes.subarray(0, 3));
    onOutput(bytes.subarray(3));
    expect(lines).toEqual(['перша', 'друга']);
  });
});
