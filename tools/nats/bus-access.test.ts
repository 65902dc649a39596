import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { busAccess, busPermissions, type BusAccess } from '@procurement/contracts/events/bus-access';
import { eventDataSubject, rpcSubjects } from '@procurement/contracts/events/subjects';
import { describe, expect, it } from 'vitest';
import { ROOT, SERVICES, readText } from '../deploy/repository.ts';
import { busFiles } from './files.ts';

const tables = Object.entries<BusAccess>(busAccess);

/** The sources of a service, without tests and generated code. */
function readSources(service: string): string {
  return readdirSync(join(ROOT, 'services', service, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(?!gen\/).*(?<!\.test)\.ts$/.test(path))
    .map((path) => readText(`services/${service}/src/${path}`))
    .join('\n');
}

/** Calls of kit that send requests, and the requests. */
const SHARED_CLIENTS: Readonly<Record<string, readonly string[]>> = {
  'remoteLevels(': ['brokerLevels'],
  'remoteTransfers(': ['transfer', 'claimTransfer'],
  'askPublications(': ['tenderPublications'],
  'askListing(': ['tenderListing'],
};

describe('busAccess', () => {
  it('has every service', () => {
    expect(Object.keys(busAccess).toSorted()).toEqual(SERVICES);
  });

  it.each(tables)('%s: has the durables and requests of its sources, and no others', (service, access) => {
    const sources = readSources(service);
    const durables = [...sources.matchAll(new RegExp(`'(${service}--[a-z-]+)'`, 'g'))].map(([, name]) => name);
    expect(Object.values(access.consumes).flat().toSorted()).toEqual([...new Set(durables)].toSorted());
    const shared = Object.entries(SHARED_CLIENTS).flatMap(([call, names]) => (sources.includes(call) ? names : []));
    const named = Object.entries(rpcSubjects).filter(
      ([name]) => sources.includes(`rpcSubjects.${name}`) || shared.includes(name),
    );
    const others = named.map(([, subject]) => subject).filter((subject) => !subject.startsWith(`ask.${service}.`));
    const { publish } = busPermissions(service as keyof typeof busAccess);
    expect(others.filter((subject) => !publish.includes(subject))).toEqual([]);
    expect(access.requests.filter((subject) => !others.some((other) => other === subject))).toEqual([]);
  });

  it.each(tables)('%s: may send the data of its large events (decision 0057)', (service, { owns }) => {
    const { subscribe } = busPermissions(service as keyof typeof busAccess);
    const owned = owns === undefined ? [] : [eventDataSubject(owns).replace(/[^.]+$/, '>')];
    expect(subscribe).toEqual(expect.arrayContaining(owned));
  });

  it('lets one service ask for each secret', () => {
    const askers = (subject: string): string[] =>
      SERVICES.filter((service) => busPermissions(service as keyof typeof busAccess).publish.includes(subject));
    expect(askers(rpcSubjects.sealedBids)).toEqual(['auction']);
    for (const { bidDocuments, attachDocuments, auctionResults, auctionUrls } of [rpcSubjects]) {
      for (const subject of [bidDocuments, attachDocuments, auctionResults, auctionUrls]) {
        expect(askers(subject)).toEqual(['bids']);
      }
    }
  });

  it('lets no service publish a subject of the stream of another, or all subjects', () => {
    for (const [service, { owns }] of tables) {
      const { publish } = busPermissions(service as keyof typeof busAccess);
      const streams = publish.filter((subject) => /^[^.$_]+\.>$/.test(subject));
      expect(streams).toEqual(owns === undefined ? [] : [`${owns}.>`]);
      expect(publish.filter((subject) => /^[>*]|^\$JS\.(API|ACK)\.[>*]/.test(subject))).toEqual([]);
    }
  });
});

describe('the users in deploy/', () => {
  it.each(Object.entries(busFiles()))('%s is what the table says (npm run nats-users)', (path, text) => {
    expect(readText(path)).toBe(text);
  });
});
