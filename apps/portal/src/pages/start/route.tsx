import { API, requireBody, type Found } from '../../api/reads.ts';
import type { PageRoute } from '../../page-route.tsx';
import { START } from './texts.ts';
import { StartView } from './view.tsx';

const NEWEST = `${API}/search?mode=_all_&limit=10&total=1&facets=status`;
const CLOSING = `${API}/search?mode=_all_&status=active.tendering&sort=tenderEnd&limit=5`;

/** `/`: what is bought now, and where to go on. Without the register the page keeps its search box and its texts. */
export const showStart: PageRoute = async ({ lang, read, readBeside }) => {
  const [newest, closing] = await Promise.all([
    read(NEWEST).then(
      (answer) => requireBody<Found>(answer),
      () => undefined,
    ),
    readBeside('closing', CLOSING).then((answer) => (answer === undefined ? undefined : requireBody<Found>(answer))),
  ]);
  return {
    head: { title: START[lang].title, description: START[lang].lead },
    view: () => <StartView newest={newest} closing={closing} />,
    countsDown: (closing?.data.length ?? 0) > 0,
  };
};
