import type { ComponentChildren, VNode } from 'preact';
import { Guarded } from './guarded.tsx';

/** A section of a page. Its id is its address, and names its title. */
export interface Section<Id extends string> {
  readonly id: Id;
  /** What the section shows, for the case that it cannot. */
  readonly data: unknown;
  readonly content: VNode;
}

interface SectionedProps<Id extends string> {
  readonly sections: readonly Section<Id>[];
  readonly texts: Readonly<Record<Id | 'contents' | 'inShort', string>>;
  /** The card of facts beside the sections, and before them on a narrow screen. */
  readonly facts: ComponentChildren;
  /** What stands above the sections. */
  readonly now: ComponentChildren;
}

/** The body of a page of one object: facts, contents and sections. */
export function Sectioned<Id extends string>({ sections, texts, facts, now }: SectionedProps<Id>): VNode {
  const contents = (
    <ul>
      {sections.map(({ id }) => (
        <li key={id}>
          <a href={`#${id}`}>{texts[id]}</a>
        </li>
      ))}
    </ul>
  );
  return (
    <div class="columns columns-8-4">
      <aside class="sticky" aria-label={texts.inShort}>
        <div class="card" id="facts">
          {facts}
        </div>
        <nav class="contents-nav wide-only" aria-label={texts.contents}>
          {contents}
        </nav>
      </aside>
      <div>
        {now}
        <details class="narrow-only contents-nav">
          <summary>{texts.contents}</summary>
          {contents}
        </details>
        {sections.map(({ id, data, content }) => (
          <section key={id} id={id}>
            <h2>{texts[id]}</h2>
            <Guarded data={data}>{content}</Guarded>
          </section>
        ))}
      </div>
    </div>
  );
}
