import { isReadingMethod } from './reading-method.ts';

const PARAMETER = 'opt_dry_run';

/** True for a write with `opt_dry_run`, whatever its text: who writes the parameter does not want the effect (decision 0111). */
export function asksForDryRun(method: string, target: string): boolean {
  if (isReadingMethod(method) || !target.includes(PARAMETER)) return false;
  const query = target.slice(target.indexOf('?') + 1);
  return (new URLSearchParams(query).getAll(PARAMETER).at(-1) ?? '') !== '';
}
