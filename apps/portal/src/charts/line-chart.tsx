import { area, line } from 'd3-shape';
import type { VNode } from 'preact';
import type { Series } from './column-chart.tsx';
import { bands, inHundredths, percent, Plot, scaleFromZero, type Place } from './plot.tsx';

export interface LinePlace extends Place {
  /** Undefined: there is nothing to measure; the line has a gap. */
  readonly value: number | undefined;
  /** Upper end of the band whose lower end is the value. */
  readonly upTo?: number | undefined;
  /** Whether the value is of few cases: a hollow dot that no line reaches. */
  readonly isThin?: boolean;
}

interface LineChartProps {
  readonly title: string;
  readonly description: string;
  readonly places: readonly LinePlace[];
  readonly series: Series;
  readonly format: (value: number) => string;
}

/** A line with a dot for each value, and a band above it where there is one. */
export function LineChart({ title, description, places, series, format }: LineChartProps): VNode {
  const scale = scaleFromZero(Math.max(0, ...places.flatMap(({ value, upTo }) => [value ?? 0, upTo ?? 0])));
  const { left, width } = bands(places, 0);
  const x = ({ key }: LinePlace): number => inHundredths(left(key) + width / 2);
  const y = (value: number | undefined): number => inHundredths(scale(value ?? 0));
  const isOnLine = ({ value, isThin = false }: LinePlace): boolean => value !== undefined && !isThin;
  const path = line<LinePlace>(x, ({ value }) => y(value)).defined(isOnLine)([...places]);
  const band = area<LinePlace>(
    x,
    ({ value }) => y(value),
    ({ upTo }) => y(upTo),
  ).defined((place) => isOnLine(place) && place.upTo !== undefined)([...places]);
  return (
    <Plot title={title} description={description} places={places} scale={scale} format={format}>
      <svg class={`series-${series}`} viewBox="0 0 100 100" width="100%" height="100%" preserveAspectRatio="none">
        {band !== null && <path class="band" d={band} />}
        {path !== null && <path class="stroke" d={path} />}
      </svg>
      {places.map((place) => {
        const { key, value, upTo, isThin = false } = place;
        if (value === undefined) return null;
        const at = percent(x(place));
        return (
          <g key={key} class={`series-${series}`}>
            {isThin && upTo !== undefined && (
              <line class="stroke dash" x1={at} x2={at} y1={percent(scale(value))} y2={percent(scale(upTo))} />
            )}
            <circle class={isThin ? 'hollow' : 'fill'} cx={at} cy={percent(scale(value))} r="4" />
          </g>
        );
      })}
    </Plot>
  );
}
