import type { ComponentChildren, VNode } from 'preact';

interface SectionProps {
  readonly id: string;
  readonly title: string;
  readonly said?: string | undefined;
  readonly children: ComponentChildren;
}

/** A chart in its section: its title asks, the sentence below it answers. */
export function ChartSection({ id, title, said, children }: SectionProps): VNode {
  return (
    <section id={id} class="chart-section">
      <h2>{title}</h2>
      {said !== undefined && <p class="said">{said}</p>}
      {children}
    </section>
  );
}
