import type { VNode } from 'preact';
import { translations } from '../texts/translations.ts';
import { usePage } from './page-context.ts';

const TEXTS = translations({
  uk: { withVat: 'з\u00a0ПДВ', withoutVat: 'без\u00a0ПДВ' },
  en: { withVat: 'VAT included', withoutVat: 'VAT excluded' },
});

/** Says whether an amount is with VAT. */
export function Vat({ value }: { readonly value: { readonly valueAddedTaxIncluded?: boolean | undefined } }): VNode {
  const { lang } = usePage();
  return <>{value.valueAddedTaxIncluded === true ? TEXTS[lang].withVat : TEXTS[lang].withoutVat}</>;
}
