import { gunzipSync } from 'node:zlib';
import type { Stack } from '@procurement/local-stack/stack';
import type { Json } from './broker.ts';
import { serviceCommand } from './service-command.ts';

export interface ExportedFile {
  readonly manifest: Json;
  readonly lines: readonly string[];
}

/** A new export of everything until now, as it is downloaded. */
export async function exported(stack: Stack, kind: string): Promise<ExportedFile> {
  await serviceCommand(stack, 'register', 'exports', 'run', kind);
  const answer = await fetch(`${stack.gatewayUrl}/api/2.5/exports/latest-${kind}`);
  const { data: manifest } = (await answer.json()) as Json;
  const files = manifest.files.map(async ({ url }: Json) => Buffer.from(await (await fetch(url)).arrayBuffer()));
  const text = gunzipSync(Buffer.concat(await Promise.all(files))).toString();
  return { manifest, lines: text.trimEnd().split('\n') };
}
