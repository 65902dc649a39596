import fc from 'fast-check';
import { exampleNames, exampleStates } from './examples.ts';

/** A change of one place of a view: the place is chosen by a number, whatever the view has. */
interface Damage {
  readonly at: number;
  readonly kind: 'replace' | 'remove' | 'repeat';
  readonly junk: unknown;
}

const junk = fc.constantFrom<unknown>(
  null,
  '',
  ' \t',
  'null\0',
  'half \uD83D',
  'ДК021',
  'https://приклад.example/a|b{c}?q=%zz&[x]#a#b',
  'cancelled',
  '2026-03-02',
  '99999999-9',
  0,
  -1.5,
  1e-7,
  7,
  true,
  false,
  [],
  {},
  [null, '', {}],
  ['text'],
  [{ id: 'x' }, { id: 'x' }, { id: 7 }, {}],
  { id: 'x', value: { amount: 'many' } },
);
const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat(),
  kind: fc.constantFrom('replace', 'remove', 'repeat'),
  junk,
});
const RELIED_ON: ReadonlySet<string> = new Set(['id', 'tenderID', 'status', 'dateModified']);

/** Up to four views of one tender: views of an example, in any order, with members that no rule of the API would let through. */
export const damagedViews: fc.Arbitrary<readonly object[]> = fc.constantFrom(...exampleNames).chain((name) => {
  const view = fc
    .tuple(fc.constantFrom(...exampleStates(name)), fc.array(damage, { maxLength: 8 }))
    .map(([state, damages]) => damaged(state, damages));
  return fc.array(view, { minLength: 1, maxLength: 4 });
});

function damaged(state: object, damages: readonly Damage[]): object {
  const view = structuredClone(state);
  for (const one of damages) {
    const places = placesOf(view, true);
    const place = places[one.at % places.length];
    if (place !== undefined) change(place, one);
  }
  return view;
}

interface Place {
  readonly parent: Record<string, unknown> | unknown[];
  readonly name: string;
}

function placesOf(value: object, isTop: boolean): readonly Place[] {
  // Safe cast: values of parsed JSON.
  const parent = value as Place['parent'];
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) => {
    if (isTop && RELIED_ON.has(name)) return [];
    const below = typeof inner === 'object' && inner !== null ? placesOf(inner, false) : [];
    return [{ parent, name }, ...below];
  });
}

function change({ parent, name }: Place, { kind, junk: value }: Damage): void {
  // Safe cast: a list takes its positions as names too.
  const members = parent as Record<string, unknown>;
  if (kind === 'replace') members[name] = structuredClone(value);
  else if (kind === 'repeat' && Array.isArray(parent)) parent.push(structuredClone(parent[Number(name)]));
  else delete members[name];
}
