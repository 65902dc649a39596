import { Fragment, type ComponentChildren, type VNode } from 'preact';
import type { PageRoute } from '../../page-route.tsx';
import { OwnLink } from '../../parts/basics.tsx';
import { usePage } from '../../parts/page-context.ts';
import { TEXTS, type Paragraph, type TextName } from './texts.ts';

const FIVE_MINUTES = 'public, max-age=300';

/** A page of texts only. It asks the API for nothing, and so is there when the API is away. */
export function showText(name: TextName): PageRoute {
  return async ({ lang }) => {
    const { title, lead } = TEXTS[lang][name];
    return {
      head: { title, description: lead },
      view: () => <TextView name={name} />,
      cacheControl: FIVE_MINUTES,
    };
  };
}

function TextView({ name }: { readonly name: TextName }): VNode {
  const { lang, site } = usePage();
  const { title, lead, parts } = TEXTS[lang][name];
  return (
    <>
      <div class="page-head">
        <h1>{title}</h1>
        <p class="lead">{lead}</p>
      </div>
      <div class="prose">
        {parts
          .filter(({ needs }) => needs === undefined || site[needs] !== '')
          .map(({ heading, paragraphs }) => (
            <Fragment key={heading}>
              <h2>{heading}</h2>
              {paragraphs.map((paragraph, n) => (
                <p key={n}>
                  <ParagraphView paragraph={paragraph} />
                </p>
              ))}
            </Fragment>
          ))}
      </div>
    </>
  );
}

/** A text with the links and settings of the site in it. */
function ParagraphView({ paragraph }: { readonly paragraph: Paragraph }): VNode {
  const { site } = usePage();
  if (typeof paragraph === 'string') return <>{paragraph}</>;
  const parts: readonly ComponentChildren[] = paragraph.map((part, n) => {
    if (typeof part === 'string') return part;
    if ('site' in part) return <strong key={n}>{site[part.site]}</strong>;
    if ('to' in part)
      return (
        <OwnLink key={n} to={part.to}>
          {part.text}
        </OwnLink>
      );
    return (
      <a key={n} href={site.apiUrl + part.api}>
        {part.text}
      </a>
    );
  });
  return <>{parts}</>;
}
