import fc from 'fast-check';
import { exampleNames, exampleStates } from './examples.ts';

/** A change of one place of a view: each number chooses a member of the object or list that the one before it chose. */
interface Damage {
  readonly path: readonly number[];
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
  path: fc.array(fc.nat({ max: 59 }), { minLength: 1, maxLength: 6 }),
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
    const place = findPlace(view, one.path);
    if (place !== undefined) change(place, one);
  }
  return view;
}

interface Place {
  readonly parent: Record<string, unknown> | unknown[];
  readonly name: string;
}

function findPlace(view: object, path: readonly number[]): Place | undefined {
  let value: unknown = view;
  let place: Place | undefined;
  for (const number of path) {
    if (typeof value !== 'object' || value === null) break;
    const names = Object.keys(value).filter((name) => value !== view || !RELIED_ON.has(name));
    const name = names[number % names.length];
    if (name === undefined) break;
    // Safe cast: a value of parsed JSON.
    place = { parent: value as Place['parent'], name };
    value = Reflect.get(value, name);
  }
  return place;
}

function change({ parent, name }: Place, { kind, junk: value }: Damage): void {
  // Safe cast: a list takes its positions as names too.
  const members = parent as Record<string, unknown>;
  if (kind === 'replace') members[name] = structuredClone(value);
  else if (kind === 'repeat' && Array.isArray(parent)) parent.push(structuredClone(parent[Number(name)]));
  else delete members[name];
}
