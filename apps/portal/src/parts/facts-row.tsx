import type { ComponentChildren, VNode } from 'preact';

/** One fact of a list of facts: what it is, and what it says. */
export function FactsRow({ name, children }: { readonly name: string; readonly children: ComponentChildren }): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
