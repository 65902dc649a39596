import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCKERFILE = readFileSync(join(import.meta.dirname, '../../Dockerfile'), 'utf8');

/** The options of Node, limits of memory, with which a service runs in its image. Without them Node sizes its heap by the memory of the machine. */
export function nodeOptionsOfImage(service: string): string {
  const [, stage = ''] = new RegExp(`^FROM runtime AS ${service}$([^]*?)^FROM `, 'm').exec(DOCKERFILE) ?? [];
  const [, options] = /^ENV NODE_OPTIONS="([^"]+)"$/m.exec(stage) ?? [];
  if (options === undefined) throw new Error(`the image of ${service} has no NODE_OPTIONS`);
  return options;
}
