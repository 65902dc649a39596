import type { Tender } from '@procurement/client';
import { createContext, type VNode } from 'preact';
import { useContext } from 'preact/hooks';
import { translations } from '../texts/translations.ts';
import { Written } from './basics.tsx';
import { usePage } from './page-context.ts';

const TEXTS = translations({
  uk: { lot: 'Лот', item: 'Позиція' },
  en: { lot: 'Lot', item: 'Item' },
});

const Context = createContext<Partial<Pick<Tender, 'items' | 'lots'>>>({});

/** Gives the parts of a page the lots and items that they name. */
export const RelatedProvider = Context.Provider;

/** Names the lot or the item that something is about; nothing where it is about the whole tender. */
export function Related({ to }: { readonly to: string | undefined }): VNode | null {
  const { lots = [], items = [] } = useContext(Context);
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
