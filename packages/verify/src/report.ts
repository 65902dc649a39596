/** Findings with the exit code of each (docs/spec/proof.md 6): 2 a contradiction, 3 not proven, 4 a declared loss. */
const CLASSES = {
  signature: 2,
  root: 2,
  proof: 2,
  fork: 2,
  entry: 2,
  number: 2,
  position: 2,
  rev: 2,
  epoch: 2,
  redaction: 2,
  text: 2,
  view: 2,
  seal: 2,
  'bid-added': 2,
  'bid-missing': 2,
  'bid-changed': 2,
  receipt: 2,
  withheld: 3,
  stale: 3,
  quorum: 3,
  corrected: 3,
  'receipt-later': 3,
  restored: 4,
  hole: 4,
  redacted: 4,
} as const;

export type FindingCode = keyof typeof CLASSES;

export interface Finding {
  readonly code: FindingCode;
  readonly about: string;
  readonly expected: string;
  readonly found: string;
}

/** Ends a check that was not possible, by a mistake in the command or a missing answer. The exit code is 1. */
export class CannotCheckError extends Error {
  override readonly name = 'CannotCheckError';
}

/** The log has signed nothing yet, as in the first seconds of a system, or keeps it back. */
export class NoCheckpointError extends CannotCheckError {}

/** Ends a check with a finding, after which nothing more can be checked. */
export class FindingError extends Error {
  override readonly name = 'FindingError';
  readonly finding: Finding;

  constructor(code: FindingCode, about: string, expected = '', found = '') {
    super(`${about}: expected ${shortened(expected)}, found ${shortened(found)}`);
    this.finding = { code, about, expected, found };
  }
}

/** Returns what an error says. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Number of findings of a code that are kept: a wrong log may break a rule in every entry. */
const FINDINGS_A_CODE = 100;

export type Section = 'log' | 'history' | 'view' | 'opening' | 'receipt';

/** Findings, warnings and lines of a command. */
export class Report {
  readonly findings: Finding[] = [];
  readonly warnings: string[] = [];
  readonly lines: { section: Section; text: string }[] = [];
  /** Size of the checkpoint against which everything was checked. */
  size: number | undefined;
  witnesses: readonly { readonly name: string; readonly time: number }[] = [];
  /** Why not everything could be checked. */
  failure: string | undefined;
  /** The view is another text than the newest state: it may be so new that the log does not have it yet. */
  isViewAhead = false;

  add(code: FindingCode, about: string, expected = '', found = ''): void {
    if (this.findings.filter((finding) => finding.code === code).length < FINDINGS_A_CODE)
      this.findings.push({ code, about, expected, found });
  }

  has(code: FindingCode): boolean {
    return this.findings.some((finding) => finding.code === code);
  }

  warn(text: string): void {
    if (!this.warnings.includes(text)) this.warnings.push(text);
  }

  say(section: Section, text: string): void {
    this.lines.push({ section, text });
  }

  /** Takes the error that has ended a check, as a finding or as the reason why not everything could be checked. */
  take(error: unknown): void {
    if (error instanceof FindingError) {
      const { code, about, expected, found } = error.finding;
      this.add(code, about, expected, found);
    } else this.failure = messageOf(error);
  }

  /** Returns the exit code: a contradiction counts more than that something could not be checked. */
  get exit(): number {
    const classes = this.findings.map(({ code }): number => CLASSES[code]);
    if (classes.includes(2)) return 2;
    if (this.failure !== undefined) return 1;
    return [3, 4].find((one) => classes.includes(one)) ?? 0;
  }
}

/** Escapes control characters: texts of others must not control the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join(''),
  );
}

/** Escapes control characters but line feeds. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** Writes JSON on one line, without characters that control a terminal. */
export function printableJson(value: unknown): string {
  return printable(JSON.stringify(value));
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

const SHOWN_MAX = 300;

function shortened(text: string): string {
  return text.length > SHOWN_MAX ? `${text.slice(0, SHOWN_MAX)}…` : text;
}

function formatVerdict(report: Report, evidence: string | undefined): string {
  const codes = [
    ...new Set(report.findings.filter(({ code }) => CLASSES[code] === report.exit).map(({ code }) => code)),
  ];
  switch (report.exit) {
    case 0:
      return 'PROVEN';
    case 1:
      return `COULD NOT CHECK: ${report.failure}`;
    case 2:
      return `CONTRADICTION: ${codes.join(', ')}${evidence === undefined ? '' : `; evidence in ${evidence}`}`;
    case 3:
      return `NOT PROVEN: ${codes.join(', ')}`;
    default:
      return `PROVEN, with a declared ${codes.includes('redacted') ? 'removal' : 'loss'}`;
  }
}

/** Writes the report for people: a line for each part, the findings, the verdict. */
export function reportText(report: Report, evidence: string | undefined): string {
  const lines = report.lines.map(({ section, text }) => `${section.padEnd(8)} ${text}`);
  for (const warning of report.warnings) lines.push(`warning  ${warning}`);
  for (const { code, about, expected, found } of report.findings) {
    lines.push(`${code.padEnd(8)} ${about}`);
    if (expected !== '') lines.push(`           expected ${shortened(expected)}`);
    if (found !== '') lines.push(`           found    ${shortened(found)}`);
  }
  if (report.failure !== undefined && report.exit !== 1) lines.push(`not all could be checked: ${report.failure}`);
  return [...lines, formatVerdict(report, evidence)].map(printable).join('\n');
}
