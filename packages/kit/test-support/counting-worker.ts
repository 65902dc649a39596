import { threadId } from 'node:worker_threads';
import { answerJobs } from '../src/runtime/answer-jobs.ts';

/** Jobs of the test of the pool: a number is doubled, `throw` fails, `exit` ends the thread. */
answerJobs((job: number | 'throw' | 'exit') => {
  if (job === 'throw') throw new Error('thrown in a thread');
  if (job === 'exit') process.exit(3);
  return { result: { double: job * 2, threadId } };
});
