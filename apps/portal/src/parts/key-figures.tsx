import type { VNode } from 'preact';
import { OwnLink } from './basics.tsx';

export interface KeyFigure {
  readonly name: string;
  readonly value: string;
  /** Where the figure leads to. */
  readonly to?: string;
}

/** A few figures that a page begins with. */
export function KeyFigures({ figures }: { readonly figures: readonly KeyFigure[] }): VNode {
  return (
    <div class="card">
      <dl class="facts">
        {figures.map(({ name, value, to }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="figure number">{to === undefined ? value : <OwnLink to={to}>{value}</OwnLink>}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
