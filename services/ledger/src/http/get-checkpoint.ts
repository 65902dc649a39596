import { findCheckpoint } from '../store/checkpoints.store.ts';
import { parseInteger, notFound, publishedSize, textAnswer, type LogAnswer, type ReadDeps } from './log-answer.ts';

/** The newest checkpoint. There is none before the first leaf. */
export async function getCheckpoint({ pool }: ReadDeps): Promise<LogAnswer> {
  const size = await publishedSize(pool);
  const checkpoint = size === 0 ? undefined : await findCheckpoint(pool, { size });
  if (checkpoint === undefined) throw notFound('path');
  return textAnswer(checkpoint.text, 5);
}

/** The first kept checkpoint that has a leaf. */
export async function getCheckpointAfter({ pool }: ReadDeps, index: string): Promise<LogAnswer> {
  const after = parseInteger(index);
  const published = await publishedSize(pool);
  const checkpoint = after === undefined ? undefined : await findCheckpoint(pool, { after, published });
  if (checkpoint === undefined) throw notFound('index');
  return textAnswer(checkpoint.text, 60);
}
