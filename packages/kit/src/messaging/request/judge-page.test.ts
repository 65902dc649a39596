import { describe, expect, it } from 'vitest';
import { judgePage, type PageSituation } from './judge-page.ts';

interface Row {
  readonly position: number;
  readonly previous: number;
}

const publication = (position: number, previous: number): Row => ({ position, previous });

function judge(
  situation: Partial<Omit<PageSituation<Row>, 'owner'>> & { readonly owner?: Partial<PageSituation<Row>['owner']> },
) {
  const { publications = [] } = situation;
  const head = publications.at(-1)?.position ?? 10;
  const owner = { epoch: 1, head, oldest: 1, hasNewEpochs: false, ...situation.owner };
  return judgePage({ position: 10, epoch: 1, isUnlinked: false, publications, ...situation, owner });
}

describe('judgePage', () => {
  it('applies what follows the position without a gap', () => {
    const publications = [publication(11, 10), publication(15, 11)];
    expect(judge({ publications })).toEqual({ kind: 'apply', publications });
  });

  it('applies what is before a gap, and then stops at it', () => {
    const [first, second] = [publication(11, 10), publication(15, 13)];
    expect(judge({ publications: [first, second] })).toEqual({ kind: 'apply', publications: [first] });
    expect(judge({ position: 11, publications: [second] })).toEqual({ kind: 'gap', after: 11, next: 15 });
  });

  it('sees that the newest publications are missing', () => {
    expect(judge({ owner: { head: 12 } })).toEqual({ kind: 'gap', after: 10, next: 12 });
  });

  it('waits at the head', () => {
    expect(judge({})).toEqual({ kind: 'idle' });
  });

  it('has the tenders listed when the log begins after the position', () => {
    const publications = [publication(15, 13)];
    expect(judge({ publications, owner: { oldest: 15 } })).toEqual({ kind: 'hole' });
    expect(judge({ owner: { head: 12, oldest: undefined } })).toEqual({ kind: 'hole' });
  });

  it('takes the first publication after a listing by its position', () => {
    const publications = [publication(12, 8), publication(15, 12)];
    expect(judge({ publications, isUnlinked: true })).toEqual({ kind: 'apply', publications });
    expect(judge({ publications: [publication(12, 11)], isUnlinked: true })).toMatchObject({ kind: 'gap' });
  });

  it.each([
    ['a new epoch comes first', { owner: { hasNewEpochs: true, head: 5, epoch: 2 } }, 'epochs'],
    ['an owner behind the position was restored', { owner: { head: 9 } }, 'restored'],
    ['so was one of an earlier epoch', { epoch: 2, publications: [publication(11, 10)] }, 'restored'],
  ])('%s', (_title, situation, kind) => {
    expect(judge(situation)).toMatchObject({ kind });
  });
});
