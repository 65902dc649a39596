import { problem, type Problem } from '@procurement/contracts/problems/problems';
import { EXPORT_KINDS } from '@procurement/contracts/resources/export';
import type { Handler } from '@procurement/kit/http/mount';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import { sendJson } from '@procurement/kit/http/server';
import { packageMetadata } from '@procurement/ocds/packages';
import type { FastifyRequest } from 'fastify';
import type { ExportsDeps } from './deps.ts';
import { exportManifest, type FinishedExport } from './domain/export-manifest.ts';
import { EXPORT_NAME } from './domain/export-schedule.ts';
import { readQuery } from '../requests/read-query.ts';

/** `GET /exports/{name}`: the manifest. `latest-<kind>` is that of the newest export of a kind (register.md 8.2). */
export function getExport(deps: ExportsDeps): Handler {
  return async (request, reply) => {
    readQuery(request, {});
    const { PUBLIC_BASE_URL: baseUrl, EXPORTS_PUBLIC_URL: filesUrl, EXPORT_LICENSE: license, ocds } = deps.config;
    const parts = await deps.exports.parts(await exportInPath(deps, request));
    const ocdsPackage = 'settings' in ocds ? packageMetadata(ocds.settings) : undefined;
    const manifest = exportManifest(parts, { baseUrl, filesUrl, license, ocdsPackage });
    return sendJson(reply, 200, JSON.stringify({ data: manifest }));
  };
}

/** Finds the refusal of an unknown export, which comes before that of a method without a contract (http.md 0.2 steps 3 to 5). */
export function exportMissing(deps: ExportsDeps): (request: FastifyRequest) => Promise<Problem | undefined> {
  return async (request) => {
    const name = exportNameIn(request);
    return name === undefined || (await findExport(deps, name)) !== undefined ? undefined : UNKNOWN;
  };
}

async function exportInPath(deps: ExportsDeps, request: FastifyRequest): Promise<FinishedExport> {
  const run = await findExport(deps, exportNameIn(request) ?? '');
  if (run === undefined) throw new ProblemError(UNKNOWN);
  return run;
}

const UNKNOWN = problem('object.not-found', { kind: 'export' });

async function findExport({ exports }: ExportsDeps, name: string): Promise<FinishedExport | undefined> {
  const latest = EXPORT_KINDS.find((kind) => name === `latest-${kind}`);
  if (latest !== undefined) return exports.latest(latest);
  return EXPORT_NAME.test(name) ? exports.find(name) : undefined;
}

/** Safe cast: the router sets every named parameter of a matched path. */
function exportNameIn(request: FastifyRequest): string | undefined {
  return (request.params as { readonly export_id?: string }).export_id;
}
