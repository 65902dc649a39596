import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVICES } from '@procurement/local-stack/ports';
import { describe, expect, it } from 'vitest';
import { invocation, labelled, PlanError, servicesFor, verification } from './plan.ts';

const ROOT = join(import.meta.dirname, '../..');

describe('servicesFor', () => {
  it.each([
    [['brokers', 'list'], ['gateway']],
    [['dead-letters', 'list'], SERVICES],
    [['audit', 'list', '--since', '2026-05-04T00:00:00Z'], SERVICES],
    [['rebuild'], ['tenders', 'bids', 'awards', 'documents', 'auction']],
  ])('%j runs in %j', (command, services) => {
    expect(servicesFor(command, [])).toEqual(services);
  });

  it('runs any command in the services that are named', () => {
    expect(servicesFor(['verify'], ['register'])).toEqual(['register']);
  });

  it.each([
    [['verify'], []],
    [['dead-letters', 'show', '7'], []],
    [['dead-letters', 'discard', '7', '--reason', 'x'], []],
    [['dead-letters', 'list'], ['bid']],
  ])('refuses %j in %j', (command, chosen) => {
    expect(() => servicesFor(command, chosen)).toThrow(PlanError);
  });

  it('republishes in every service that has an outbox, and in no other', () => {
    const withOutbox = SERVICES.filter((service) =>
      readFileSync(join(ROOT, 'services', service, 'src/main.ts'), 'utf8').includes('ownStream:'),
    );
    expect(servicesFor(['outbox', 'republish'], [])).toEqual(withOutbox);
  });
});

describe('invocation', () => {
  it('runs the command of the image in a container, and keeps standard input', () => {
    const command = ['brokers', 'import', '-'];
    expect(invocation({ kind: 'compose', files: ['a.yml'] }, 'gateway', command).join(' ')).toBe(
      'docker compose --file a.yml exec -T gateway node dist/main.js brokers import -',
    );
    expect(invocation({ kind: 'kubernetes', namespace: 'n' }, 'gateway', command).join(' ')).toBe(
      'kubectl --namespace n exec -i deploy/gateway -- node dist/main.js brokers import -',
    );
  });
});

describe('verification', () => {
  it('is a container of its own, and on Kubernetes a Job that the operator makes', () => {
    expect(verification({ kind: 'compose', files: ['a.yml'] }, ['--wait', '5']).join(' ')).toBe(
      'docker compose --file a.yml run --rm -T verify --wait 5',
    );
    expect(() => verification({ kind: 'kubernetes', namespace: 'n' }, [])).toThrow('kubectl -n n create job');
  });
});

describe('labelled', () => {
  it('keeps a line of JSON readable for programs', () => {
    expect(JSON.parse(labelled('bids', '{"actor":"root"}'))).toEqual({ service: 'bids', actor: 'root' });
    expect(labelled('bids', '7  poison')).toBe('bids: 7  poison');
  });
});
