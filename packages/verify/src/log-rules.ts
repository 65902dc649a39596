import type { Baseline, Entry, Publication, Redaction, Restore } from '@procurement/proof/entries';
import type { Report } from './report.ts';
import { Rows } from './rows.ts';

/** A published state of the tender that is checked. */
export interface LoggedState {
  readonly index: number;
  readonly entry: Publication | Baseline;
  /** Removals by law, in the order of the log. The text that is shown must be that of the last one. */
  readonly redactions: { readonly index: number; readonly entry: Redaction }[];
}

export interface LogRulesOptions {
  readonly report: Report;
  /** The tender that is checked. Its states are kept, and only restores that made one of them void are findings. */
  readonly tender?: string;
  /** False where only entries of the tender are read, so that numbers of publications have gaps. */
  readonly isWhole: boolean;
}

/** Judges entries in their order by the rules L1 to L6 of docs/spec/proof.md 3.1. */
export class LogRules {
  readonly #options: LogRulesOptions;
  readonly #tenders = new Map<string, number>();
  /** Row of the newest state of each tender; -1 where all of its states are void. */
  readonly #newest: number[] = [];
  readonly #rows = new Rows();
  /** States of the tender that is checked, by their row. */
  readonly #states = new Map<number, LoggedState>();
  /** Number of the last publication. Undefined: any number may follow. */
  #number: bigint | undefined;
  #position = -1n;
  #epoch = -1n;
  #hasPublication = false;
  #isAfterHole = false;

  constructor(options: LogRulesOptions) {
    this.#options = options;
  }

  /** Returns the states of the tender that are not void, the oldest first. */
  get states(): readonly LoggedState[] {
    return [...this.#states.values()];
  }

  accept(index: number, entry: Entry): void {
    switch (entry.kind) {
      case 'restore':
        return this.#restore(index, entry);
      case 'hole':
        this.#isAfterHole = true;
        return this.#options.report.add(
          'hole',
          `entry ${index}`,
          '',
          `publications from ${entry.after} to ${entry.before} are lost`,
        );
      case 'redaction':
        return this.#redact(index, entry);
      case 'baseline':
        if (this.#hasPublication && !this.#isAfterHole)
          this.#options.report.add('entry', `entry ${index}`, 'baselines before publications', 'a baseline');
        return this.#publish(index, entry, -1n);
      default:
        this.#judgeNumber(index, entry.number);
        return this.#publish(index, entry, entry.number);
    }
  }

  #judgeNumber(index: number, number: bigint): void {
    const before = this.#number;
    const isNext = before === undefined || number === before + 1n || (this.#isAfterHole && number > before);
    if (this.#options.isWhole && !isNext)
      this.#options.report.add('number', `entry ${index}`, `number ${before + 1n}`, `number ${number}`);
    this.#number = number;
    this.#hasPublication = true;
    this.#isAfterHole = false;
  }

  #publish(index: number, entry: Publication | Baseline, number: bigint): void {
    const { report, tender } = this.#options;
    const { rev, position } = entry;
    if (position <= this.#position)
      report.add('position', `entry ${index}`, `later than ${this.#position}`, `${position}`);
    this.#position = position;
    const owner = this.#tenderOf(entry.tender);
    const previous = this.#newest[owner] ?? -1;
    const before = this.#rows.at(previous);
    if (before !== undefined && before.rev >= rev)
      report.add('rev', `entry ${index}, tender ${entry.tender}`, `later than state ${before.rev}`, `state ${rev}`);
    const row = this.#rows.length;
    this.#newest[owner] = row;
    this.#rows.push({ tender: owner, rev, position, number, previous });
    if (entry.tender === tender) this.#states.set(row, { index, entry, redactions: [] });
  }

  #tenderOf(tender: string): number {
    const known = this.#tenders.get(tender);
    if (known !== undefined) return known;
    const made = this.#newest.push(-1) - 1;
    // A part of a text keeps the whole text in memory; a copy does not.
    this.#tenders.set(Buffer.from(tender).toString(), made);
    return made;
  }

  #redact(index: number, entry: Redaction): void {
    for (let at = this.#newest[this.#tenders.get(entry.tender) ?? -1] ?? -1; at >= 0;) {
      const row = this.#rows.at(at);
      if (row?.rev === entry.rev && row.position === entry.position) {
        this.#states.get(at)?.redactions.push({ index, entry });
        return;
      }
      at = row?.previous ?? -1;
    }
    this.#options.report.add(
      'redaction',
      `entry ${index}`,
      'a state that the log has',
      `state ${entry.rev} of ${entry.tender}`,
    );
  }

  #restore(index: number, { epoch, to, began }: Restore): void {
    const { report, tender } = this.#options;
    if (epoch <= this.#epoch) report.add('epoch', `entry ${index}`, `later than ${this.#epoch}`, `${epoch}`);
    this.#epoch = epoch;
    if (to >= began || began <= this.#position)
      report.add('position', `entry ${index}`, `to ${to} before began, later than ${this.#position}`, `began ${began}`);
    this.#position = began;
    let lost = 0;
    // Positions increase, so void states are the last ones.
    for (let last = this.#rows.length - 1; last >= 0; last -= 1) {
      const row = this.#rows.at(last);
      if (row === undefined || row.position <= to) break;
      this.#rows.pop();
      this.#newest[row.tender] = row.previous;
      if (this.#states.delete(last) || tender === undefined) lost += 1;
    }
    if (lost > 0 || tender === undefined)
      report.add('restored', `entry ${index}`, '', `${lost} states after ${to} were lost by a restore of the database`);
    this.#number = this.#lastNumber();
  }

  /** Returns the number of the last publication that is not void. Baselines stand before all others, or after a hole. */
  #lastNumber(): bigint | undefined {
    for (let last = this.#rows.length - 1; last >= 0; last -= 1) {
      const { number = -1n } = this.#rows.at(last) ?? {};
      if (number >= 0n) return number;
    }
    return undefined;
  }
}
