import { readFileSync } from 'node:fs';

export const MEBIBYTE = 1_048_576;

/**
 * Bytes of memory of a process: resident now (`VmRSS`), or the most so far (`VmHWM`). NaN when it has ended, and where there is no
 * `/proc`.
 */
export function memoryBytes(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  try {
    return (
      Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024
    );
  } catch {
    return Number.NaN;
  }
}
