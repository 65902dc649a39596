import { problem } from '@procurement/contracts/problems/problems';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { OcdsDeps } from './deps.ts';
import { releaseTexts } from './ocds-texts.ts';
import {
  ifPublished,
  joined,
  joinedPieces,
  ocdsQuery,
  ocdsUri,
  pathPartOf,
  recordTexts,
  refuseOcid,
  sendPackage,
} from './ocds-answer.ts';

/** A release never changes; the metadata of its package may. */
const ONE_DAY = 'public, max-age=86400';

/** `GET /ocds/releases/{ocid}`: all releases of a process, oldest first. */
export function getOcdsReleases(deps: OcdsDeps): Handler {
  return ifPublished(deps, async (request, reply, settings) => {
    const ocid = pathPartOf(request, 'ocid');
    const heads = await deps.ocds.releasesOf([ocid]);
    if (heads.length === 0) return refuseOcid(deps, ocid, settings);
    const answer = {
      uri: ocdsUri(`/releases/${ocid}`, [], settings),
      heads,
      member: 'releases' as const,
      cacheControl: `public, max-age=${deps.config.OCDS_HEAD_MAX_AGE}`,
      pieces: () => joined(releaseTexts(deps.ocds, heads)),
    };
    return sendPackage(request, reply, answer, settings);
  });
}

/** `GET /ocds/releases/{ocid}/{release_id}`: the permanent address of a release. */
export function getOcdsRelease(deps: OcdsDeps): Handler {
  return ifPublished(deps, async (request, reply, settings) => {
    const [ocid, id] = [pathPartOf(request, 'ocid'), pathPartOf(request, 'release_id')];
    const head = await deps.ocds.release(ocid, id);
    if (head === undefined) {
      if ((await deps.ocds.record(ocid)) === undefined) return refuseOcid(deps, ocid, settings);
      throw new ProblemError(problem('ocds.not-found', { name: 'release_id' }));
    }
    const answer = {
      uri: ocdsUri(`/releases/${ocid}/${id}`, [], settings),
      heads: [head],
      member: 'releases' as const,
      cacheControl: ONE_DAY,
      pieces: () => releaseTexts(deps.ocds, [head]),
    };
    return sendPackage(request, reply, answer, settings);
  });
}

/** `GET /ocds/records/{ocid}`: the record of a process. */
export function getOcdsRecord(deps: OcdsDeps): Handler {
  return ifPublished(deps, async (request, reply, settings) => {
    const ocid = pathPartOf(request, 'ocid');
    const { embed } = ocdsQuery(request, 'records');
    const head = await deps.ocds.record(ocid);
    if (head === undefined) return refuseOcid(deps, ocid, settings);
    const answer = {
      uri: ocdsUri(`/records/${ocid}`, embed ? [['embed', '1']] : [], settings),
      heads: [head],
      member: 'records' as const,
      cacheControl: `public, max-age=${deps.config.OCDS_HEAD_MAX_AGE}`,
      pieces: () => joinedPieces(recordTexts(deps.ocds, [head], embed, settings)),
    };
    return sendPackage(request, reply, answer, settings);
  });
}
