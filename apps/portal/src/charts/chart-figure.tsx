import type { ComponentChildren, VNode } from 'preact';
import { usePage } from '../parts/page-context.ts';
import { translations } from '../texts/translations.ts';
import type { Series } from './column-chart.tsx';

const TEXTS = translations({ uk: { table: 'Ці числа таблицею' }, en: { table: 'These figures as a table' } });

export interface ChartTable {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly key: string;
    readonly name: ComponentChildren;
    readonly cells: readonly string[];
  }[];
}

interface ChartFigureProps {
  readonly legend?: readonly { readonly series: Series; readonly text: string }[];
  /** Unit, period, number of tenders, and how it is computed. */
  readonly note: ComponentChildren;
  readonly table: ChartTable;
  readonly children: ComponentChildren;
}

/** A picture with its legend, what it is made of, and the same figures as a table. */
export function ChartFigure({ legend = [], note, table, children }: ChartFigureProps): VNode {
  const { lang } = usePage();
  return (
    <figure class="chart">
      {legend.length > 0 && (
        <ul class="legend">
          {legend.map(({ series, text }) => (
            <li key={series} class={`series-${series}`}>
              <span class="swatch" />
              {text}
            </li>
          ))}
        </ul>
      )}
      {children}
      <figcaption class="quiet small">{note}</figcaption>
      <details>
        <summary class="small">{TEXTS[lang].table}</summary>
        <Table {...table} />
      </details>
    </figure>
  );
}

function Table({ caption, columns, rows }: ChartTable): VNode {
  const [first, ...others] = columns;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label={caption}>
      <table class="data-table">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {others.map((column) => (
              <th key={column} scope="col" class="number">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, cells }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {cells.map((cell, n) => (
                <td key={others[n]} class="number">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
