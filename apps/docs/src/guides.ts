/** A document that is served as a guide. */
export interface Guide {
  /** Last part of the address of the page. */
  readonly name: string;
  /** Path in the repository. */
  readonly path: string;
  readonly title: string;
  /** What a reader learns from it, in one sentence. */
  readonly about: string;
}

interface GuideGroup {
  readonly title: string;
  readonly guides: readonly Guide[];
}

function guide(name: string, title: string, about: string): Guide {
  return { name, path: `docs/guides/${name}.md`, title, about };
}

/** All guides in the order of reading. */
export const GROUPS: readonly GuideGroup[] = [
  {
    title: 'Begin',
    guides: [
      guide('first-procedure', 'First procedure', 'From an empty sandbox to a signed contract, three times the same.'),
      guide('tokens', 'Keys and tokens', 'Who you are, what is yours, and how an object changes its owner.'),
      {
        name: 'client',
        path: 'packages/client/README.md',
        title: 'Typed client',
        about: 'Calls with types for Node and browsers, with repeats and files.',
      },
      {
        name: 'command-line',
        path: 'packages/cli/README.md',
        title: 'Command line',
        about: 'A whole procedure, and all reads, from a terminal.',
      },
    ],
  },
  {
    title: 'The procedure',
    guides: [
      guide('documents', 'Documents', 'Files of tenders, bids, awards and contracts, and their versions.'),
      guide('lots', 'Lots', 'Parts of a tender with bids, awards and contracts of their own.'),
      guide('auctions', 'Auctions', 'What an auction component reads, holds and reports.'),
      guide('complaints', 'Claims and complaints', 'How a broker objects, and who decides.'),
      guide('contracts', 'Contracts', 'A contract from its signature to its last payment.'),
    ],
  },
  {
    title: 'Reading',
    guides: [
      guide('feed-and-stream', 'Feed and stream', 'All changes of all tenders, page by page or as they happen.'),
      guide('search', 'Search', 'Tenders by words and filters, with counts and sums.'),
      guide('webhooks', 'Webhooks', 'Changes that are sent to an address of yours.'),
      {
        name: 'verify',
        path: 'packages/verify/README.md',
        title: 'Verify a tender',
        about: 'How anybody checks that nothing was changed afterwards, and what that proves.',
      },
      guide('open-contracting', 'Open Contracting', 'Releases and records of the Open Contracting Data Standard.'),
    ],
  },
  {
    title: 'Rules of the API',
    guides: [
      guide('errors', 'Errors', 'The form of a refusal, and what to do about each status.'),
      guide('idempotency', 'Idempotency', 'How to repeat a write whose answer was lost.'),
      guide('limits', 'Limits', 'Rates, sizes and counts.'),
      guide('older-generations', 'Older generations', 'What segments 2.3, 0 and 0.1 call things, and what they lack.'),
    ],
  },
];

export const GUIDES: readonly Guide[] = GROUPS.flatMap(({ guides }) => guides);
