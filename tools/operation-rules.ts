import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { selectRoutes } from '@procurement/contracts/api/routes';
import { operationRules } from './openapi/operation-rules.ts';

// `npm run rules` writes who may call each operation of segment 2.5 and when, from the tables of the services; with `check` it only
// compares (docs/decisions/0050-openapi.md).
const RULES_PATH = join(import.meta.dirname, '../services/gateway/src/description/operation-rules.golden.ts');

const routes = selectRoutes({ sandbox: true }).filter(({ segments }) => segments.includes('2.5'));
const entries = Object.entries(operationRules(routes)).map(([name, rules]) => `  ${name}: ${JSON.stringify(rules)},`);
const text = `// Made of the tables of the services by: npm run rules
import type { OperationRules } from './described-route.ts';

/** Rules of segment 2.5. */
export const OPERATION_RULES: Readonly<Record<string, OperationRules>> = {
${entries.join('\n')}
};
`;

if (process.argv[2] === 'check') {
  const isCurrent = readFileSync(RULES_PATH, 'utf8') === text;
  if (!isCurrent) console.error('The descriptions differ from the tables of the services. Write them: npm run rules');
  process.exitCode = isCurrent ? 0 : 1;
} else writeFileSync(RULES_PATH, text);
