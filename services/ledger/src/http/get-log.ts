import { problem } from '@procurement/contracts/problems/problems';
import { UnavailableError } from '@procurement/kit/database/unavailable-error';
import { StorageError } from '@procurement/kit/files/file-storage';
import { ProblemError } from '@procurement/kit/runtime/problem-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MissingTileError } from '../files/log-files.ts';
import { getCheckpoint, getCheckpointAfter } from './get-checkpoint.ts';
import { getKeys, getPolicy } from './get-policy.ts';
import { getTenderLeaves } from './get-tender-leaves.ts';
import { getTile } from './get-tile.ts';
import type { LogAnswer, ReadDeps } from './log-answer.ts';

interface LogRoute {
  /** Matches what follows `/log/`; its group is the argument. */
  readonly path: RegExp;
  readonly read: (deps: ReadDeps, argument: string, query: URLSearchParams) => Promise<LogAnswer>;
  readonly parameters?: readonly string[];
}

/** What is read below `/log/` (proof.md 3.3). A path has one spelling: escapes are refused with everything else. */
const ROUTES: readonly LogRoute[] = [
  { path: /^checkpoint()$/, read: getCheckpoint },
  { path: /^checkpoints\/([^/]+)$/, read: getCheckpointAfter },
  { path: /^(tile\/.+)$/, read: getTile },
  { path: /^policy()$/, read: getPolicy },
  { path: /^keys()$/, read: getKeys },
  { path: /^tenders\/([^/]+)$/, read: getTenderLeaves, parameters: ['after'] },
];

const ROOT = '/log/';

/** `GET /log/*`: the log for everybody. */
export function getLog(deps: ReadDeps): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  return async (request, reply) => {
    const [path = '', queryText = ''] = (request.raw.url ?? '').split('?', 2);
    const query = new URLSearchParams(queryText);
    const answer = await readAnswer(deps, path.slice(ROOT.length), query);
    return reply.headers({ 'content-type': answer.type, 'cache-control': answer.cache }).send(answer.body);
  };
}

async function readAnswer(deps: ReadDeps, path: string, query: URLSearchParams): Promise<LogAnswer> {
  for (const { path: pattern, read, parameters = [] } of ROUTES) {
    const argument = pattern.exec(path)?.[1];
    if (argument === undefined) continue;
    for (const name of query.keys())
      if (!parameters.includes(name)) throw new ProblemError(problem('params.unknown', { name }));
    return read(deps, argument, query).catch(throwUnavailable);
  }
  throw new ProblemError(problem('log.not-found', { name: 'path' }));
}

/** What the log must have and the store does not give now. */
function throwUnavailable(error: unknown): never {
  if (error instanceof StorageError || error instanceof MissingTileError)
    throw new UnavailableError('the store of the log');
  throw error;
}
