// The reference at /docs: Swagger UI in the layout of our pages. The page loads its bundle before this module.

type Component = (props: { readonly getComponent: GetComponent; readonly specSelectors: SpecSelectors }) => unknown;
type GetComponent = (name: string, isContainer: boolean) => Component;
interface SpecSelectors {
  loadingStatus(): string;
}
interface System {
  readonly React: {
    createElement(element: string | Component, attributes: object, ...children: unknown[]): unknown;
  };
  getSystem(): { readonly layoutActions: { parseDeepLinkHash(hash: string): void } };
}
declare const SwaggerUIBundle: {
  (settings: object): System;
  readonly presets: { readonly apis: unknown };
};

const root = document.querySelector<HTMLElement>('#swagger-ui');

/** The parts of its `BaseLayout` but for title and description, which the page has, and for a second `main`. */
const PARTS = ['ServersContainer', 'AuthorizeBtnContainer', 'FilterContainer', 'operations', 'Webhooks', 'Models'];
const BAR = 2;

const ourParts = ({ React: { createElement } }: System): object => ({
  components: {
    ReferenceLayout: ({ getComponent, specSelectors }: Parameters<Component>[0]) => {
      const part = (name: string): unknown => createElement(getComponent(name, true), { key: name });
      if (specSelectors.loadingStatus() === 'loading')
        return createElement('p', { role: 'status' }, 'The operations are being loaded.');
      return createElement(
        'div',
        { className: 'swagger-ui' },
        part('errors'),
        createElement('div', { className: 'reference-bar' }, PARTS.slice(0, BAR).map(part)),
        PARTS.slice(BAR).map(part),
      );
    },
    // The name of an operation stands in a button, where a link would be a control inside a control.
    DeepLink: ({ text }: { text: unknown }) => createElement('span', {}, text),
  },
});

const ui = SwaggerUIBundle({
  url: root?.dataset['url'],
  domNode: root,
  layout: 'ReferenceLayout',
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [ourParts],
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  tryItOutEnabled: true,
});

/** What the markup of Swagger UI lacks for people with disabilities: by selector, attributes and their values. */
const REPAIRS: readonly (readonly [selector: string, attributes: Readonly<Record<string, string>>])[] = [
  ['section.models > h4', { role: 'heading', 'aria-level': '2' }],
  ['.auth-container h6', { role: 'heading', 'aria-level': '5' }],
  ['#servers', { 'aria-label': 'Server' }],
  ['.body-param__text', { 'aria-label': 'Request body' }],
  ['.examples-select-element', { 'aria-label': 'Example' }],
  ['.operation-filter-input', { 'aria-label': 'Filter by tag' }],
  // Their names are not what they show.
  ['.close-modal', { 'aria-label': 'Close' }],
  ['.auth-btn-wrapper .authorize', { 'aria-label': 'Authorize' }],
  ['.auth-btn-wrapper .auth:not(.authorize, .btn-done)', { 'aria-label': 'Logout' }],
  ['pre', { tabindex: '0' }],
];

function repair(): void {
  for (const [selector, attributes] of REPAIRS)
    for (const element of root?.querySelectorAll(selector) ?? [])
      for (const [name, value] of Object.entries(attributes))
        if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  // The name of a parameter stands in another cell of its row.
  for (const row of root?.querySelectorAll<HTMLElement>('tr[data-param-name]') ?? [])
    for (const control of row.querySelectorAll('select, input, textarea'))
      control.setAttribute('aria-label', row.dataset['paramName'] ?? '');
}

if (root !== null) new MutationObserver(repair).observe(root, { childList: true, subtree: true });

/** Swagger UI follows the address once, when it has read the document. Links of the side navigation change it later. */
addEventListener('hashchange', () => {
  const hash = decodeURIComponent(location.hash);
  ui.getSystem().layoutActions.parseDeepLinkHash(hash);
  const [, tag, operation] = hash.split('/');
  const id = operation === undefined ? `operations-tag-${tag}` : `operations-${tag}-${operation}`;
  document.getElementById(id)?.scrollIntoView();
});
