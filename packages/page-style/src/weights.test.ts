import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { docsSheet, pageScript, portalSheet, roomSheet, type Asset } from './gen/assets.ts';

const KILOBYTE = 1000;

// portal.md 11. The sheet and the script of the reference have those of Swagger UI in them, and a budget of their own (8.3).
it.each([
  ['the sheet of the portal', portalSheet, 12],
  ['the sheet of guides and errors', docsSheet, 12],
  ['the sheet of the auction room', roomSheet, 12],
  ['the script', pageScript, 4],
] satisfies readonly (readonly [string, Asset, number])[])('%s weighs little', (_name, { body }, kilobytes) => {
  expect(gzipSync(body).length).toBeLessThanOrEqual(kilobytes * KILOBYTE);
});
