import type { PlannedTender } from './domain/revision-plan.ts';

/** What `tender` has of the newest revision, as PostgreSQL gives it. */
export interface TenderRow {
  readonly position: string;
  readonly rev: string;
  readonly listed: boolean;
  readonly isTest: boolean;
  readonly created: string;
  readonly complete: boolean;
}

/** The tender without its text and what is derived from it. */
export function tenderOfRow(id: string, row: TenderRow): Omit<PlannedTender, 'body' | 'derived' | 'columns'> {
  const { listed, isTest, complete } = row;
  const [position, rev, created] = [Number(row.position), Number(row.rev), Number(row.created)];
  return { id, listed, isTest, complete, position, rev, created };
}
