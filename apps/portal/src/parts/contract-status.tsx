import type { VNode } from 'preact';
import { findValue } from '../format/find-value.ts';
import { Code, Tag } from './basics.tsx';

const TONES = { pending: 'info', active: 'good', terminated: 'neutral', cancelled: 'neutral' } as const;

/** The state of a contract. */
export function ContractStatus({ status }: { readonly status: string }): VNode {
  return (
    <Tag tone={findValue(TONES, status) ?? 'neutral'}>
      <Code list="contractStatus" code={status} />
    </Tag>
  );
}
