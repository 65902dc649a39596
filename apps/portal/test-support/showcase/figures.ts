import type { StatisticsCell } from '@procurement/client';
import type { Statistics } from '../../src/api/reads.ts';
import { BUYER_KEY } from './found-tenders.ts';

/**
 * Columns: month; published, complete, unsuccessful and cancelled tenders; bids of an opened one; share of those with one bid; days to the
 * contract, p50 and p90; expected value of the complete ones and that of their contracts, in millions of hryvnias. The last month still runs.
 */
const MONTHS = `
2025-12 | 936 | 701 | 184 | 51 | 2.3 | 0.34 | 30 | 60 | 214 | 189
2026-01 | 402 | 301 | 80 | 21 | 2.2 | 0.36 | 30 | 60 | 88 | 79
2026-02 | 688 | 517 | 131 | 40 | 2.4 | 0.33 | 30 | 45 | 131 | 116
2026-03 | 903 | 684 | 170 | 49 | 2.4 | 0.31 | 21 | 45 | 176 | 153
2026-04 | 871 | 661 | 166 | 44 | 2.5 | 0.3 | 30 | 45 | 168 | 146
2026-05 | 760 | 589 | 130 | 41 | 2.6 | 0.28 | 21 | 45 | 149 | 128
2026-06 | 698 | 531 | 131 | 36 | 2.5 | 0.29 | 21 | 45 | 142 | 123
2026-07 | 641 | 490 | 118 | 33 | 2.6 | 0.27 | 21 | 45 | 127 | 109
2026-08 | 590 | 449 | 109 | 30 | 2.8 | 0.25 | 21 | 45 | 121 | 102
2026-09 | 845 | 598 | 142 | 41 | 2.7 | 0.26 | 21 | 45 | 158 | 134
2026-10 | 890 | 371 | 96 | 28 | 2.9 | 0.24 | 21 | 30 | 97 | 82
2026-11 | 702 | 14 | 12 | 9 | 2.9 | 0.23 | 14 | 21 | 3 | 2.6`;

const MILLION = 1_000_000;

function parseCell(line: string): StatisticsCell {
  const [key = '', ...cells] = line.split('|').map((cell) => cell.trim());
  const at = (column: number): number => Number(cells[column]);
  const [tenders, complete, unsuccessful, cancelled] = [at(0), at(1), at(2), at(3)];
  const opened = complete + Math.round(unsuccessful / 3);
  return {
    key,
    tenders,
    amount: tenders * 251_300,
    opened,
    bids: Math.round(opened * at(4)),
    competition: at(4),
    singleBid: at(5),
    complete,
    unsuccessful,
    cancelled,
    active: tenders - complete - unsuccessful - cancelled,
    contracted: at(9) * MILLION,
    expected: at(8) * MILLION,
    savings: (at(8) - at(9)) * MILLION,
    signed: complete,
    amended: Math.round(complete * 0.17),
    terminated: Math.round(complete * 0.52),
    contractedNow: at(9) * MILLION * 1.021,
    paid: at(9) * MILLION * 0.47,
    overrun: at(9) * MILLION * 0.021,
    daysToContract: { mean: at(6), p50: at(6), p90: at(7), count: complete },
  };
}

/** Twelve months up to November 2026. */
export const months: Statistics = {
  data: MONTHS.trim().split('\n').map(parseCell),
  from: '2025-12-01',
  to: '2026-11-30',
};

/** Divisions of the classification and regions, with the sum of their tenders in millions of hryvnias. */
const DIVISIONS = '45 611|33 402|15 238|09 229|34 141|30 97|39 88|90 74|50 61|31 52|44 47|72 33|71 28|22 19|79 12';
const REGIONS =
  'UA-30 438|UA-46 262|UA-12 229|UA-63 204|UA-51 187|UA-32 166|UA-05 121|UA-53 104|UA-56 92|UA-71 81|UA-26 77|UA-61 58';

/** Only the key, the count and the amount are shown; tenders of a group are about 300,000 hryvnias each. */
function parseSums(millions: string): Statistics {
  const [month] = months.data;
  if (month === undefined) throw new Error('there are no months');
  const data = millions.split('|').map((entry): StatisticsCell => {
    const [key = '', sum] = entry.split(' ');
    return { ...month, key, tenders: Math.round(Number(sum) * 3.3), amount: Number(sum) * MILLION };
  });
  return { ...months, data };
}

export const divisions: Statistics = parseSums(DIVISIONS);
export const regions: Statistics = parseSums(REGIONS);

/** All years of the buyer. */
export const buyerSums: Statistics = {
  ...months,
  data: [parseCell(`${BUYER_KEY} | 97 | 71 | 11 | 3 | 3.1 | 0.18 | 21 | 45 | 48.65 | 42.318`)],
};
