import { scaleBand, scaleLinear, type ScaleLinear } from 'd3-scale';
import type { ComponentChildren, VNode } from 'preact';

/** A place on the horizontal axis: a month. */
export interface Place {
  readonly key: string;
  readonly label: string;
  /** A second line below the label, where a new year begins. */
  readonly under?: string | undefined;
}

/** Vertical positions in per cent of the height, from zero at the bottom. */
export type VerticalScale = ScaleLinear<number, number>;

const TICKS = 4;
const DECIMALS = 100;
/** A narrow screen shows every third label. */
const LABELS_APART = 3;

/** A scale from zero to at least `most`, which ends at a round number. */
export function scaleFromZero(most: number): VerticalScale {
  return scaleLinear()
    .domain([0, most > 0 ? most : 1])
    .nice(TICKS)
    .range([100, 0]);
}

/** A position as an attribute: `12.5%`. */
export function percent(position: number): string {
  return `${inHundredths(position)}%`;
}

export function inHundredths(position: number): number {
  return Math.round(position * DECIMALS) / DECIMALS;
}

/** Horizontal places of equal width, in per cent. */
export function bands(places: readonly Place[], padding: number): { left: (key: string) => number; width: number } {
  const scale = scaleBand()
    .domain(places.map(({ key }) => key))
    .range([0, 100])
    .paddingInner(padding)
    .paddingOuter(padding / 2);
  return { left: (key) => scale(key) ?? 0, width: scale.bandwidth() };
}

interface PlotProps {
  /** What the picture shows, and what a reader sees in it. */
  readonly title: string;
  readonly description: string;
  readonly places: readonly Place[];
  readonly scale: VerticalScale;
  readonly format: (value: number) => string;
  readonly children: ComponentChildren;
}

/** A picture with a vertical axis from zero and places below it. Labels stand outside of the plot, in the size of the page's text. */
export function Plot({ title, description, places, scale, format, children }: PlotProps): VNode {
  const { left, width } = bands(places, 0);
  return (
    <svg class="plot" role="img">
      <title>{title}</title>
      <desc>{description}</desc>
      {scale.ticks(TICKS).map((tick) => (
        <g key={tick}>
          <line class="axis" x1="0" x2="100%" y1={percent(scale(tick))} y2={percent(scale(tick))} />
          <text x="0" dx="-8" y={percent(scale(tick))} dy="0.32em" text-anchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {children}
      {places.map(({ key, label, under }, n) => {
        const x = percent(left(key) + width / 2);
        return (
          <g key={key}>
            <text
              class={n % LABELS_APART === 0 ? undefined : 'wide-label'}
              x={x}
              y="100%"
              dy="1.5em"
              text-anchor="middle"
            >
              {label}
            </text>
            {under !== undefined && (
              <text class="strong" x={x} y="100%" dy="2.8em" text-anchor="middle">
                {under}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
