import { ApiAwayError } from '../../api/read-api.ts';
import { API, requireBody, listMode, type Statistics } from '../../api/reads.ts';
import { readDay } from '../../domain/search-parameters.ts';
import { formatMonth } from '../../format/month.ts';
import type { PageRoute } from '../../page-route.tsx';
import { STATISTICS } from './texts.ts';
import { StatisticsView } from './view.tsx';

const PAGE_CACHE = 'public, max-age=0, s-maxage=60';
const CPV = { by: 'cpv', sort: '-amount', limit: '15' };

/** `/statistics`: twelve months in figures. Sums by division and region may be missing. */
export const showStatistics: PageRoute = async ({ lang, origins, read, readBeside }, { sandbox }) => {
  const mode = await listMode(read, sandbox);
  const statisticsPath = (by: Readonly<Record<string, string>>): string =>
    `${API}/statistics?${new URLSearchParams({ ...mode, ...by }).toString()}`;
  const monthsPath = statisticsPath({ by: 'month' });
  const beside = async (part: string, by: Readonly<Record<string, string>>): Promise<Statistics | undefined> => {
    const answer = await readBeside(part, statisticsPath(by));
    return answer === undefined ? undefined : requireBody<Statistics>(answer);
  };
  const [months, divisions, regions] = await Promise.all([
    read(monthsPath).then((answer) => requireBody<Statistics>(answer, 'no-page')),
    beside('statistics-cpv', CPV),
    beside('statistics-region', { by: 'region' }),
  ]);
  const [from, to] = [readDay(months.from), readDay(months.to)];
  if (from === undefined || to === undefined) throw new ApiAwayError('the statistics have no period');
  const t = STATISTICS[lang];
  return {
    head: {
      title: t.title,
      description: t.lead(formatMonth(from, lang), formatMonth(to, lang)),
      section: 'statistics',
      formats: [{ text: t.api, href: origins.api + monthsPath, type: 'application/json' }],
    },
    view: () => (
      <StatisticsView
        months={{ ...months, from, to }}
        divisions={divisions}
        regions={regions}
        api={origins.api + monthsPath}
      />
    ),
    cacheControl: PAGE_CACHE,
  };
};
