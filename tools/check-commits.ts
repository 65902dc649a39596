import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Those before were written before the rule, and nobody rewrites what is on main. */
const NEWEST = 30;
const SUBJECT_LENGTH_MAX = 72;
const SUBJECT = /^[a-z0-9][a-z0-9./-]*: [a-z]/;

/** A line for each subject that is not `area: verb object`, or is longer than a log shows. */
export function wrongSubjects(subjects: readonly string[]): string[] {
  return subjects.flatMap((subject) => {
    if (!SUBJECT.test(subject)) return [`"${subject}" is not of the form "area: verb object"`];
    return subject.length > SUBJECT_LENGTH_MAX
      ? [`"${subject}" has ${subject.length} characters, ${SUBJECT_LENGTH_MAX} at most`]
      : [];
  });
}

function newestSubjects(): readonly string[] {
  const options = ['log', '--no-merges', `--max-count=${NEWEST}`, '--format=%s'];
  return execFileSync('git', options, { cwd: join(import.meta.dirname, '..'), encoding: 'utf8' })
    .trim()
    .split('\n');
}

if (import.meta.filename === process.argv[1]) {
  const wrong = wrongSubjects(newestSubjects());
  if (wrong.length > 0) {
    process.stdout.write(`${wrong.join('\n')}\n`);
    process.exitCode = 1;
  }
}
