import type { StatisticsCell } from '@procurement/client';
import type { Series } from './column-chart.tsx';

/** How a tender can stand, with the colour that every chart has for it. */
export const OUTCOMES = [
  ['complete', 3],
  ['active', 1],
  ['unsuccessful', 2],
  ['cancelled', 6],
] as const satisfies readonly (readonly [keyof StatisticsCell, Series])[];
