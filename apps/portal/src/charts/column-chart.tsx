import type { VNode } from 'preact';
import { bands, percent, Plot, scaleFromZero, type Place } from './plot.tsx';

/** Colour of a series, 1 to 6. */
export type Series = 1 | 2 | 3 | 4 | 5 | 6;

/** A part of a column. */
export interface Part {
  readonly series: Series;
  readonly value: number;
}

export interface ColumnPlace extends Place {
  /** Columns beside each other; the parts of each stand on each other, the first one at the bottom. */
  readonly columns: readonly (readonly Part[])[];
  /** Whether its figures still grow: it is hatched. */
  readonly isRunning: boolean;
}

interface ColumnChartProps {
  /** Tells the hatching of this picture from that of others. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly places: readonly ColumnPlace[];
  readonly format: (value: number) => string;
}

const GAP = 0.3;

/** Columns from zero, stacked or beside each other. */
export function ColumnChart({ id, title, description, places, format }: ColumnChartProps): VNode {
  const scale = scaleFromZero(Math.max(0, ...places.flatMap(({ columns }) => columns.map(sumOf))));
  const { left, width } = bands(places, GAP);
  const hatch = `${id}-hatch`;
  return (
    <Plot title={title} description={description} places={places} scale={scale} format={format}>
      <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line class="hatch" x1="0" x2="0" y1="0" y2="6" />
      </pattern>
      {places.map(({ key, columns, isRunning }) => (
        <g key={key}>
          {columns.map((parts, n) => {
            const one = width / columns.length;
            const [x, total] = [left(key) + n * one, sumOf(parts)];
            const box = { x: percent(x), width: percent(one) };
            return (
              <g key={n}>
                {parts.map(({ series, value }, place) => {
                  if (value === 0) return null;
                  const below = sumOf(parts.slice(0, place));
                  const height = percent(scale(below) - scale(below + value));
                  return (
                    <rect
                      key={series}
                      class={`fill part series-${series}`}
                      {...box}
                      y={percent(scale(below + value))}
                      height={height}
                    />
                  );
                })}
                {isRunning && total > 0 && (
                  <rect
                    {...box}
                    y={percent(scale(total))}
                    height={percent(100 - scale(total))}
                    fill={`url(#${hatch})`}
                  />
                )}
              </g>
            );
          })}
        </g>
      ))}
    </Plot>
  );
}

function sumOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { value }) => sum + value, 0);
}
