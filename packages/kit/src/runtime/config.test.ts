import { expect, it } from 'vitest';
import { serviceShape, warnWithoutPublicBase } from './config.ts';

it.each([
  ['warns', undefined, 1],
  ['is silent', 'https://tenders.example.org', 0],
])('warnWithoutPublicBase %s when PUBLIC_BASE_URL is %s', (_what, setting, warnings) => {
  const lines: unknown[] = [];
  const settings = { PUBLIC_BASE_URL: serviceShape.PUBLIC_BASE_URL.parse(setting) };
  warnWithoutPublicBase(settings, { warn: (...line: readonly unknown[]) => void lines.push(line) });
  expect(lines).toHaveLength(warnings);
});
