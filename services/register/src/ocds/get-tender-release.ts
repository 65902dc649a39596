import { problem, unavailable } from '@procurement/contracts/problems/problems';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { OcdsSettings } from '@procurement/ocds/settings';
import type { FastifyRequest } from 'fastify';
import type { OcdsDeps } from './deps.ts';
import { releaseTexts } from './ocds-texts.ts';
import { ifPublished, sendPackage } from './ocds-answer.ts';

/**
 * `GET /tenders/{id}?opt_schema=ocds`: the newest release of a tender, in every segment (ocds.md 4). Waits until the newest revision of
 * the owner is projected.
 */
export function getTenderRelease(deps: OcdsDeps): Handler {
  return ifPublished(deps, async (request, reply, settings) => {
    const { segment, id } = pathParametersOf(request);
    const tender = await deps.askPublic(id);
    if (tender !== undefined && tender !== 'unavailable') await deps.projected.approached(tender.position);
    const head = await deps.ocds.newestOfTender(id);
    if (head === undefined) throw new ProblemError(await refusal(deps, tender, settings));
    const answer = {
      uri: `${settings.publicBaseUrl}/api/${segment}/tenders/${id}?opt_schema=OCDS-1.1`,
      heads: [head],
      member: 'releases' as const,
      cacheControl: 'no-cache',
      pieces: () => releaseTexts(deps.ocds, [head]),
    };
    return sendPackage(request, reply, answer, settings);
  });
}

function pathParametersOf({ params }: FastifyRequest): { readonly segment: string; readonly id: string } {
  // Safe cast: the router sets every named parameter of a matched path.
  const { segment, tender_id: id } = params as { segment: string; tender_id: string };
  if (!/^[0-9a-f]{32}$/.test(id)) throw new ProblemError(problem('object.not-found', { kind: 'tender' }));
  return { segment, id };
}

/** 404 for a tender that is not published, and 503 for one that has no release yet or is unknown (rulings R37). */
async function refusal(
  { ocds }: OcdsDeps,
  tender: Awaited<ReturnType<OcdsDeps['askPublic']>>,
  { includeTest }: OcdsSettings,
): Promise<ReturnType<typeof unavailable>> {
  if (tender === 'unavailable') return unavailable(5);
  const isPublished = tender !== undefined && tender.status !== 'draft' && (!tender.isTest || includeTest);
  const isComing = isPublished && (await ocds.position()) < tender.position;
  return isComing ? unavailable(1) : problem('object.not-found', { kind: 'tender' });
}
