import { z } from 'zod';
import {
  ChangesQuery,
  CursorLink,
  HistoryQuery,
  PatchOperation,
  Revision,
  RevisionQuery,
} from '../resources/revision.ts';
import { Tender } from '../resources/tender.ts';
import type { RouteContract } from './route.ts';

const segments = ['2.5'] as const;

const REVISION = {
  rev: 2,
  position: '1772609412.105000',
  dateModified: '2026-03-04T09:30:12.105000+02:00',
  status: 'active.enquiries',
  causes: ['question.answered'],
  changed: ['questions'],
  bytes: 4310,
  uri: 'https://api.example.org/api/2.5/tenders/5e1c0f3a9d5b4b0d8a7c2f6e4b1d9a30/history/2',
};

const TENDER = {
  id: '5e1c0f3a9d5b4b0d8a7c2f6e4b1d9a30',
  tenderID: 'UA-2026-03-02-000001',
  date: '2026-03-02T10:15:00.482000+02:00',
  dateCreated: '2026-03-02T10:15:00.482000+02:00',
  dateModified: REVISION.dateModified,
  status: REVISION.status,
  owner: 'broker',
  title: 'Папір офісний для закладів освіти',
  procurementMethodType: 'belowThreshold',
  value: { amount: 100_000, currency: 'UAH', valueAddedTaxIncluded: true },
  minimalStep: { amount: 1_000, currency: 'UAH', valueAddedTaxIncluded: true },
  procuringEntity: {
    name: 'Відділ освіти',
    kind: 'general',
    identifier: { scheme: 'UA-EDR', id: '12345601' },
    address: { countryName: 'Україна', region: 'Київська область' },
    contactPoint: { name: 'Олена Приклад', email: 'tender@example.org' },
  },
  enquiryPeriod: { startDate: '2026-03-02T10:15:00.482000+02:00', endDate: '2026-03-06T12:00:00+02:00' },
  tenderPeriod: { startDate: '2026-03-06T12:00:00+02:00', endDate: '2026-03-16T12:00:00+02:00' },
  items: [
    {
      id: 'a1f0c2d4e6b84a0c9e7d5b3f1a2c4e60',
      description: 'Папір офісний А4, 80 г/м²',
      classification: { scheme: 'ДК021', id: '30197630-1', description: 'Папір для друку' },
    },
  ],
};

/** All public states of a tender (register.md 7). */
export const historyApi = {
  listRevisions: {
    name: 'listRevisions',
    method: 'GET',
    path: '/tenders/:tender_id/history',
    owner: 'register',
    rateClass: 'history',
    spore: 'get_collection_tender history',
    summary: 'Public revisions of a tender',
    description:
      'Every state of the tender that was public, oldest first, with what changed and why. `complete` says whether the history begins with the first one. With `at` the answer is that of one revision: the tender as it was public at that instant.',
    segments,
    query: HistoryQuery,
    responses: { 200: z.union([z.array(Revision), Tender]) },
    example: { data: [REVISION], complete: true },
    beside: {
      complete: z.boolean().optional(),
      from: z.object({ rev: z.int(), position: z.string() }).optional(),
      next_page: CursorLink.optional(),
      revision: Revision.optional(),
    },
  },
  getRevision: {
    name: 'getRevision',
    method: 'GET',
    path: '/tenders/:tender_id/history/:rev',
    owner: 'register',
    rateClass: 'history',
    spore: 'get_tender history',
    summary: 'A tender as it was at one revision',
    description:
      'The tender exactly as everybody could read it from this revision until the next one. What was hidden then, such as bids before their opening, is not in it. With `exact=1` the answer is the published text alone, without `revision`, whose SHA-256 is in `Repr-Digest`.',
    segments,
    query: RevisionQuery,
    unchangedWith: 'exact',
    responses: { 200: Tender },
    example: {
      data: TENDER,
      revision: REVISION,
    },
    beside: { revision: Revision },
  },
  listChanges: {
    name: 'listChanges',
    method: 'GET',
    path: '/tenders/:tender_id/history/:rev/changes',
    owner: 'register',
    rateClass: 'history',
    spore: 'get_collection_tender history changes',
    summary: 'Differences between two revisions',
    description:
      'The JSON Patch (RFC 6902) that makes this revision of the revision before, or of the one that `from` names, which may also be newer.',
    segments,
    query: ChangesQuery,
    responses: { 200: z.array(PatchOperation) },
    example: {
      data: [{ op: 'replace', path: '/status', value: 'active.tendering' }],
      from: 2,
      to: 3,
    },
    beside: { from: z.int(), to: z.int() },
  },
} as const satisfies Record<string, RouteContract>;
