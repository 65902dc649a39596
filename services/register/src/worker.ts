import { answerJobs } from '@procurement/kit/runtime/answer-jobs';
import { patchesBetween, type PatchJob } from './history/domain/patches-between.ts';

// The thread for work on large texts (deps.ts).
answerJobs((job: PatchJob) => ({ result: patchesBetween(job) }));
