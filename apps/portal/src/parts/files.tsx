import type { VNode } from 'preact';
import { translations, plural } from '../texts/translations.ts';
import { safeLink } from '../domain/safe-link.ts';
import { findValue } from '../format/find-value.ts';
import { visibleText } from '../format/visible-text.ts';
import { Code, textIn, When, Written } from './basics.tsx';
import { LongList } from './long-list.tsx';
import { usePage } from './page-context.ts';
import { Related } from './related.tsx';

const TEXTS = translations({
  uk: {
    earlier: (n: number) =>
      `${n} ${plural('uk', n, { one: 'попередня версія', few: 'попередні версії', many: 'попередніх версій' })}`,
    by: { tender_owner: 'замовник', bid_owner: 'учасник', bots: 'система', auction: 'аукціон' },
  },
  en: {
    earlier: (n: number) => `${n} ${plural('en', n, { one: 'earlier version', other: 'earlier versions' })}`,
    by: { tender_owner: 'buyer', bid_owner: 'bidder', bots: 'system', auction: 'auction' },
  },
});

/** A version of a file, as the API shows it. */
export interface FileVersion {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly format: string;
  readonly url: string;
  readonly dateModified: string;
  readonly documentType?: string;
  readonly relatedItem?: string;
  readonly language?: string;
  readonly author?: string;
}

/** Files with their newest version in sight and the earlier ones folded. */
export function Files({ files }: { readonly files: readonly FileVersion[] }): VNode {
  const ids = [...new Set(files.map(({ id }) => id))];
  const newestFirst = ids.map((id) =>
    files
      .filter((file) => file.id === id)
      .toSorted((one, other) => Date.parse(other.dateModified) - Date.parse(one.dateModified)),
  );
  return (
    <LongList entries={newestFirst} show={(part) => part.map((all) => <FileRow key={all[0]?.id} versions={all} />)} />
  );
}

function FileRow({ versions: [newest, ...earlier] }: { readonly versions: readonly FileVersion[] }): VNode | null {
  const { lang } = usePage();
  if (newest === undefined) return null;
  return (
    <div class="file-row">
      <FileLink file={newest} />
      {earlier.length > 0 && (
        <details class="small">
          <summary>{TEXTS[lang].earlier(earlier.length)}</summary>
          {earlier.map((file) => (
            <p key={file.url}>
              <FileLink file={file} />
            </p>
          ))}
        </details>
      )}
    </div>
  );
}

/** `application/pdf` as `PDF`; what is unknown as it is. */
function formatName(format: string, title: string): string {
  const ending = /\.([a-z0-9]{1,5})$/i.exec(title)?.[1];
  return (ending ?? format.replace(/^.*\//, '')).toUpperCase();
}

function FileLink({ file }: { readonly file: FileVersion }): VNode {
  const { lang, site } = usePage();
  const { title, format, url, dateModified, documentType, relatedItem, language, author } = file;
  // A file that lies elsewhere is named, and nobody is led there (portal.md 12).
  const link = safeLink(url, site.fileHosts);
  const by: Readonly<Record<string, string>> = TEXTS[lang].by;
  return (
    <>
      {link?.own === true ? (
        <a href={link.href} rel="nofollow ugc">
          <Written of={file} name="title" />
        </a>
      ) : (
        <Written of={file} name="title" />
      )}
      <span class="quiet small">
        {formatName(format, title)} · <When at={dateModified} />
        {documentType !== undefined && (
          <>
            {' · '}
            <Code list="documentType" code={documentType} />
          </>
        )}
        {language !== undefined && ` · ${visibleText(language)}`}
        {author !== undefined && ` · ${findValue(by, author) ?? visibleText(author)}`}
      </span>
      <Related to={relatedItem} />
      {textIn(file, 'description', lang) !== undefined && (
        <span class="quiet small">
          <Written of={file} name="description" />
        </span>
      )}
    </>
  );
}
