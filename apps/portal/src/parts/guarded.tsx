import { Component, options, type ComponentChildren, type VNode } from 'preact';
import { FRAME } from '../texts/frame.ts';
import { usePage } from './page-context.ts';

// Off by default when rendering to a string; without it one unreadable member would take the whole page.
(options as { errorBoundaries?: boolean }).errorBoundaries = true;

interface GuardedProps {
  /** What the part shows, for the case that it cannot. */
  readonly data: unknown;
  readonly children: ComponentChildren;
}

/** Shows a part of a page; the raw data of the part where the API says something that no page expects (portal.md 13). */
export class Guarded extends Component<GuardedProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static override getDerivedStateFromError(): { readonly failed: boolean } {
    return { failed: true };
  }

  override render(): ComponentChildren {
    return this.state.failed ? <Raw data={this.props.data} /> : this.props.children;
  }
}

const RAW_CHARACTERS_MAX = 5000;

function Raw({ data }: { readonly data: unknown }): VNode {
  const { lang, onUnread } = usePage();
  onUnread();
  return (
    <div class="card">
      <p>{FRAME[lang].unreadable}</p>
      <pre class="scroll">{(JSON.stringify(data, undefined, 1) ?? '').slice(0, RAW_CHARACTERS_MAX)}</pre>
    </div>
  );
}
