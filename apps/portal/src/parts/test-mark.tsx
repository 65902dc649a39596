import type { VNode } from 'preact';
import { translations } from '../texts/translations.ts';
import { Others, Tag, textIn } from './basics.tsx';
import { usePage } from './page-context.ts';

const TEXTS = translations({ uk: { test: 'Тестовий' }, en: { test: 'Test' } });

/** The mark that the API puts before titles of test tenders. */
const TEST_MARK = /^\[(?:ТЕСТУВАННЯ|TESTING)\] */;

/** Says that a tender or a contract is a test, unless the whole site is a sandbox. */
export function TestTag({ mode }: { readonly mode: string | undefined }): VNode | null {
  const { lang, site } = usePage();
  return mode === 'test' && !site.isSandbox ? <Tag>{TEXTS[lang].test}</Tag> : null;
}

interface TitleProps {
  readonly of: object;
  /** What stands where there is no title. */
  readonly otherwise?: string;
}

/** A title without the mark of a test, which a tag says. */
export function TitleWithoutMark({ of, otherwise }: TitleProps): VNode {
  const { lang } = usePage();
  const found = textIn(of, 'title', lang);
  return found === undefined ? <>{otherwise}</> : <Others lang={found.lang} text={found.text.replace(TEST_MARK, '')} />;
}
