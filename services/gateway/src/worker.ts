import { answerJobs } from '@procurement/kit/runtime/answer-jobs';
import { doTextJob, type TextJob } from './answer/text-job.ts';

// The thread for work on long answers (answer/text-work.ts).
answerJobs((job: TextJob) => {
  const result = doTextJob(job);
  return { result, transfer: [result.buffer] };
});
