import type { Tender } from '@procurement/client';
import type { VNode } from 'preact';
import type { RevisionInfo } from '../../api/reads.ts';
import { Code, Tag, Written } from '../../parts/basics.tsx';
import { toneOf } from '../../texts/words.ts';

export interface TenderProps {
  readonly tender: Tender;
  readonly hasAuction: boolean;
  /** The newest states; undefined when they could not be read in time. */
  readonly revisions: readonly RevisionInfo[] | undefined;
}

export function TenderView({ tender }: TenderProps): VNode {
  return (
    <div class="page-head">
      <h1>
        <Written of={tender} name="title" />
      </h1>
      <p>
        <Tag tone={toneOf(tender.status)}>
          <Code list="tenderStatus" code={tender.status} />
        </Tag>
      </p>
    </div>
  );
}
