import type { Tender } from '@procurement/client';
import { Component, type ComponentChildren, type VNode } from 'preact';
import { translations } from '../texts/translations.ts';
import { Written } from './basics.tsx';
import { usePage } from './page-context.ts';

const TEXTS = translations({
  uk: { lot: 'Лот', item: 'Позиція' },
  en: { lot: 'Lot', item: 'Item' },
});

type Nameable = Partial<Pick<Tender, 'items' | 'lots'>>;

/** Gives the parts of a page the lots and items that they name. Without `createContext`, as the page itself (page-context.ts). */
export class RelatedProvider extends Component<{ readonly value: Nameable; readonly children: ComponentChildren }> {
  override getChildContext(): Nameable {
    const { lots = [], items = [] } = this.props.value;
    return { lots, items };
  }

  override render(): ComponentChildren {
    return this.props.children;
  }
}

/** Names the lot or the item that something is about; nothing where it is about the whole tender. */
export function Related(
  { to }: { readonly to: string | undefined },
  { lots = [], items = [] }: Nameable = {},
): VNode | null {
  const { lang } = usePage();
  if (to === undefined) return null;
  const lot = lots.find(({ id }) => id === to);
  const item = lot === undefined ? items.find(({ id }) => id === to) : undefined;
  if (lot === undefined && item === undefined) return null;
  return (
    <span class="quiet small">
      {lot === undefined ? TEXTS[lang].item : TEXTS[lang].lot}:{' '}
      {lot === undefined ? <Written of={item ?? {}} name="description" /> : <Written of={lot} name="title" />}
    </span>
  );
}
