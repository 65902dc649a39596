import {
  OcdsBulkQuery,
  OcdsIndex,
  OcdsPageQuery,
  OcdsRecord,
  OcdsRecordBulkQuery,
  OcdsRecordPackage,
  OcdsRecordPageQuery,
  OcdsRecordQuery,
  OcdsRelease,
  OcdsReleasePackage,
} from '../resources/ocds.ts';
import type { RouteContract } from './route.ts';

const OCID = 'ocds-213czf-UA-2026-03-02-000001';
const BASE = 'https://api.example.org/api/ocds';
const DATE = '2026-03-31T07:12:30.550Z';
const RELEASE_ID = `${OCID}-20260331T071230550Z`;

const METADATA = {
  version: '1.1',
  extensions: [
    'https://raw.githubusercontent.com/open-contracting-extensions/ocds_bid_extension/v1.1.5/extension.json',
  ],
  publisher: { name: 'Sandbox' },
  license: 'https://creativecommons.org/publicdomain/zero/1.0/',
};

const RELEASE = {
  ocid: OCID,
  id: RELEASE_ID,
  date: DATE,
  tag: ['tenderUpdate', 'contractUpdate'],
  initiationType: 'tender',
  language: 'uk',
  tender: { id: '5e1c0f3a9d5b4b0d8a7c2f6e4b1d9a30', title: 'Папір офісний для закладів освіти', status: 'complete' },
};

const RECORD = {
  ocid: OCID,
  releases: [{ url: `${BASE}/releases/${OCID}/${RELEASE_ID}`, date: DATE, tag: RELEASE.tag }],
  compiledRelease: { ...RELEASE, id: `${OCID}-${DATE}`, tag: ['compiled'] },
};

function releasePackage(path: string, links?: object): object {
  const head = { uri: `${BASE}${path}`, ...METADATA, publishedDate: DATE };
  return { ...head, ...(links === undefined ? {} : { links }), releases: [RELEASE] };
}

function recordPackage(path: string): object {
  return { uri: `${BASE}${path}`, ...METADATA, publishedDate: DATE, records: [RECORD] };
}

/** Members that all these operations share: they are outside of segments and described with the newest one. */
const common = { method: 'GET', owner: 'register', outsideSegments: true, bare: true, segments: ['2.5'] } as const;

/** Tenders in the Open Contracting Data Standard (ocds.md 4). */
export const ocdsApi = {
  getOcdsIndex: {
    ...common,
    name: 'getOcdsIndex',
    path: '/ocds',
    spore: 'get_ocds',
    summary: 'What is published by the Open Contracting Data Standard',
    description:
      'Publisher, licence and addresses of the publication in the Open Contracting Data Standard 1.1. No operation below `/api/ocds` needs credentials.',
    responses: { 200: OcdsIndex },
    example: {
      ...METADATA,
      ocidPrefix: 'ocds-213czf',
      language: 'uk',
      links: {
        releases: `${BASE}/releases.json`,
        records: `${BASE}/records.json`,
        releasesBulk: `${BASE}/releases.jsonl`,
        recordsBulk: `${BASE}/records.jsonl`,
      },
    },
  },
  listOcdsReleases: {
    ...common,
    name: 'listOcdsReleases',
    path: '/ocds/releases.json',
    spore: 'get_ocds_releases',
    summary: 'All releases in pages',
    description:
      'Releases of all tenders in the order in which they were made. Follow `links.next`; the page without it is the last one and grows: ask for it again until it has `next`. Releases never change.',
    query: OcdsPageQuery,
    responses: { 200: OcdsReleasePackage },
    example: releasePackage('/releases.json', { next: `${BASE}/releases.json?cursor=r2s` }),
  },
  getOcdsReleases: {
    ...common,
    name: 'getOcdsReleases',
    path: '/ocds/releases/:ocid',
    spore: 'get_ocds_process',
    summary: 'All releases of a tender',
    description:
      'Every release of one contracting process, oldest first. Its `ocid` is the prefix of the index, a hyphen, and `tenderID`.',
    responses: { 200: OcdsReleasePackage },
    example: releasePackage(`/releases/${OCID}`),
  },
  getOcdsRelease: {
    ...common,
    name: 'getOcdsRelease',
    path: '/ocds/releases/:ocid/:release_id',
    spore: 'get_ocds_release',
    summary: 'One release',
    description: 'The permanent address of a release.',
    responses: { 200: OcdsReleasePackage },
    example: releasePackage(`/releases/${OCID}/${RELEASE_ID}`),
  },
  listOcdsRecords: {
    ...common,
    name: 'listOcdsRecords',
    path: '/ocds/records.json',
    spore: 'get_ocds_records',
    summary: 'All records in pages',
    description:
      'Records of all tenders: the compiled release, and links to the releases that it is made of. A record that changes moves to the end.',
    query: OcdsRecordPageQuery,
    responses: { 200: OcdsRecordPackage },
    example: recordPackage('/records.json'),
  },
  getOcdsRecord: {
    ...common,
    name: 'getOcdsRecord',
    path: '/ocds/records/:ocid',
    spore: 'get_ocds_record',
    summary: 'The record of a tender',
    description:
      'The compiled release of one contracting process, and links to its releases, or with `embed` the releases themselves.',
    query: OcdsRecordQuery,
    responses: { 200: OcdsRecordPackage },
    example: recordPackage(`/records/${OCID}`),
  },
  downloadOcdsReleases: {
    ...common,
    name: 'downloadOcdsReleases',
    path: '/ocds/releases.jsonl',
    spore: 'get_ocds_releases_bulk',
    summary: 'All releases in one download',
    description:
      'One release on each line, without a package: JSON Lines. A download that ends early has no last chunk. Few run at a time: 429 otherwise.',
    query: OcdsBulkQuery,
    mediaType: 'application/x-ndjson',
    responses: { 200: OcdsRelease },
    example: RELEASE,
  },
  downloadOcdsRecords: {
    ...common,
    name: 'downloadOcdsRecords',
    path: '/ocds/records.jsonl',
    spore: 'get_ocds_records_bulk',
    summary: 'All records in one download',
    description: 'One record on each line, without a package: JSON Lines. Few downloads run at a time: 429 otherwise.',
    query: OcdsRecordBulkQuery,
    mediaType: 'application/x-ndjson',
    responses: { 200: OcdsRecord },
    example: RECORD,
  },
} as const satisfies Record<string, RouteContract>;

/** A tender with `opt_schema=ocds`: the gateway forwards such a GET of any segment to this path. Not a path of clients. */
export const tenderReleaseApi = {
  getTenderRelease: {
    ...common,
    name: 'getTenderRelease',
    path: '/ocds/tenders/:segment/:tender_id',
    spore: 'get_tender_release',
    summary: 'The newest release of a tender',
    description: 'A release package with the newest release of the tender.',
    responses: { 200: OcdsReleasePackage },
  },
} as const satisfies Record<string, RouteContract>;
