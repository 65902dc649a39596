import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventTypes } from '@procurement/contracts/events/event-types';
import { flows, type Flow } from '@procurement/contracts/events/flows';
import { rpcSubjects } from '@procurement/contracts/events/subjects';
import { describe, expect, it } from 'vitest';

const ARCHITECTURE = readFileSync(join(import.meta.dirname, '../docs/spec/architecture.md'), 'utf8');

const REQUESTS: ReadonlySet<string> = new Set([...Object.keys(eventTypes), ...Object.values(rpcSubjects)]);

describe('flows', () => {
  it.each(Object.entries<Flow>(flows))('%s is a row of docs/spec/architecture.md, "Flows that wait"', (name, flow) => {
    const { waits, state, request, answeredBy, answer } = flow;
    const row = `| \`${name}\` | ${waits} | ${state} | \`${request}\` | ${answeredBy.join(', ')} | ${answer} |`;
    expect(ARCHITECTURE.split('\n')).toContain(row);
  });

  it.each(Object.entries<Flow>(flows))('%s asks by an event or a request that exists', (_name, { request }) => {
    expect(REQUESTS).toContain(request);
  });
});
