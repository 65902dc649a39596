import { describe, expect, it } from 'vitest';
import { portFamily } from './ports.ts';
import { startupMessage } from './startup-message.ts';

describe('startupMessage', () => {
  it('names all segments', () => {
    const message = startupMessage(portFamily(8_080), 0);
    expect(message).toContain('http://127.0.0.1:8080/api/2.5   (also /api/2.3, /api/0, /api/0.1)');
  });

  it('has requests to paste', () => {
    const lines = startupMessage(portFamily(8_080), Date.UTC(2026, 10, 21)).split('\n');
    const requests = lines.filter((line) => line.startsWith('curl '));
    expect(requests).toHaveLength(5);
    const body = /-d '([^']+)'$/.exec(requests[0] ?? '')?.[1] ?? '';
    expect(JSON.parse(body).data.tenderPeriod.endDate).toBe('2026-11-23T00:00:00Z');
  });
});
