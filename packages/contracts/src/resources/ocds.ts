import { z } from 'zod';
import { dateTime, formed } from './query.ts';

// Frames only: the members of releases are those of the standard (OCDS 1.1) with the extensions that packages name.

const packageMembers = {
  uri: z.url().describe('Address of this answer'),
  version: z.literal('1.1'),
  extensions: z.array(z.url()),
  publisher: z.looseObject({ name: z.string() }),
  license: z.url(),
  publicationPolicy: z.url().optional(),
  publishedDate: z.string().describe('Date of the newest release in the package'),
  links: z
    .object({ next: z.url().optional(), prev: z.url().optional() })
    .optional()
    .describe('Of pages. Without `next` the page is the last one: ask for it again'),
};

export const OcdsRelease = z
  .looseObject({ ocid: z.string(), id: z.string(), date: z.string(), tag: z.array(z.string()) })
  .meta({ id: 'OcdsRelease' });

export const OcdsReleasePackage = z
  .object({ ...packageMembers, releases: z.array(OcdsRelease) })
  .meta({ id: 'OcdsReleasePackage' });

export const OcdsRecord = z
  .object({
    ocid: z.string(),
    releases: z
      .array(z.looseObject({ url: z.url().optional(), date: z.string(), tag: z.array(z.string()) }))
      .describe('Links, or with `embed` whole releases'),
    compiledRelease: OcdsRelease,
  })
  .meta({ id: 'OcdsRecord' });

export const OcdsRecordPackage = z
  .object({ ...packageMembers, records: z.array(OcdsRecord) })
  .meta({ id: 'OcdsRecordPackage' });

export const OcdsIndex = z
  .object({
    version: z.literal('1.1'),
    extensions: z.array(z.url()),
    publisher: z.looseObject({ name: z.string() }),
    license: z.url(),
    publicationPolicy: z.url().optional(),
    ocidPrefix: z.string(),
    language: z.string(),
    links: z.object({
      releases: z.url(),
      records: z.url(),
      releasesBulk: z.url(),
      recordsBulk: z.url(),
    }),
  })
  .meta({ id: 'OcdsIndex' });

const cursor = () => formed('[rc][0-9a-z]{1,12}');

const dates = {
  since: dateTime().optional().describe('Only releases after this date or time'),
  until: dateTime().optional().describe('Only releases until this date or time'),
};

/** Parameters of pages (ocds.md 4.1). */
export const OcdsPageQuery = z.object({
  limit: z.int().min(1).max(1_000).optional().describe('Entries of a page. Default 100'),
  cursor: cursor().optional().describe('From `links.next`'),
  before: cursor().optional().describe('From `links.prev`'),
  ...dates,
});

const embed = z.literal('1').optional().describe('Whole releases instead of links');

export const OcdsRecordQuery = z.object({ embed });
export const OcdsRecordPageQuery = OcdsPageQuery.extend({ embed });
export const OcdsBulkQuery = z.object(dates);
export const OcdsRecordBulkQuery = OcdsBulkQuery.extend({ embed });
