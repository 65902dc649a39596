import type { Problem } from '@procurement/contracts/problems/problems';

/** Carries a refusal where the framework expects a throw. The error handler of `server.ts` sends it unchanged. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.code);
    this.name = 'ProblemError';
    this.problem = problem;
  }
}
