import type { ComponentChildren, VNode } from 'preact';
import type { Part, Series } from './column-chart.tsx';
import { percent } from './plot.tsx';

export interface Bar {
  readonly key: string;
  readonly label: ComponentChildren;
  readonly value: number;
  /** The value in words, at the end of the bar's line. */
  readonly text: string;
  readonly series?: Series;
}

/** Horizontal bars from zero. Each line says its name and its figure, so that the bars themselves add nothing to hear. */
export function BarList({ bars, label }: { readonly bars: readonly Bar[]; readonly label: string }): VNode {
  const most = Math.max(...bars.map(({ value }) => value));
  return (
    <ol class="bars" aria-label={label}>
      {bars.map(({ key, label: name, value, text, series = 1 }) => (
        <li key={key} class={`series-${series}`}>
          <span>{name}</span> <span class="number">{text}</span>
          <svg class="bar" aria-hidden="true">
            <rect class="fill" width={percent(most > 0 ? (value / most) * 100 : 0)} height="100%" />
          </svg>
        </li>
      ))}
    </ol>
  );
}

/** Parts of a whole as one bar. The legend says the same figures. */
export function StackedBar({ parts }: { readonly parts: readonly Part[] }): VNode {
  const total = parts.reduce((sum, { value }) => sum + value, 0);
  const starts = parts.map((_, n) => parts.slice(0, n).reduce((sum, { value }) => sum + value, 0));
  return (
    <svg class="bar stacked" aria-hidden="true">
      {parts.map(({ series, value }, n) => (
        <rect
          key={series}
          class={`fill part series-${series}`}
          x={percent(((starts[n] ?? 0) / total) * 100)}
          width={percent((value / total) * 100)}
          height="100%"
        />
      ))}
    </svg>
  );
}
