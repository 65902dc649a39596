import type { Problem } from '@procurement/contracts/problems/problems';

/** A refusal thrown where the framework expects a throw. The error handler of `server.ts` answers it as it is. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.code);
    this.name = 'ProblemError';
    this.problem = problem;
  }
}
