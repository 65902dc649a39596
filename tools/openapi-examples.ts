import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildExamples } from './openapi/examples.ts';
import { RECORDED_AT } from './openapi/placeholders.ts';
import { goldenExchanges } from './openapi/recordings.ts';

// `npm run examples` writes the examples of the OpenAPI documents from test/golden; with `check` it only compares.
const EXAMPLES_PATH = join(import.meta.dirname, '../services/gateway/src/description/examples.golden.ts');

const entries = Object.entries(buildExamples(goldenExchanges())).map(
  ([name, example]) => `  ${name}: ${JSON.stringify(example)},`,
);
const text = `// Made of the recordings in test/golden by: npm run examples
import type { SegmentExamples } from './examples.ts';

/** When the recordings begin. */
export const RECORDED_AT = '${RECORDED_AT}';

/** Examples of segment 2.5. */
export const EXAMPLES: SegmentExamples = {
${entries.join('\n')}
};
`;

if (process.argv[2] === 'check') {
  const isCurrent = readFileSync(EXAMPLES_PATH, 'utf8') === text;
  if (!isCurrent) console.error('The examples in OpenAPI differ from test/golden. Write them again: npm run examples');
  process.exitCode = isCurrent ? 0 : 1;
} else writeFileSync(EXAMPLES_PATH, text);
