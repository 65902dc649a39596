import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics } from 'node:v8';
import { runningGateway } from './running-gateway.ts';

// A gateway in a process of its own, of which a test asks how many bytes V8 has promoted to the old generation since it asked last.

const used = (): number =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? 0;
let [before, promoted] = [used(), 0];
const look = (): void => {
  const now = used();
  promoted += Math.max(0, now - before);
  before = now;
};

const gateway = await runningGateway({ TENDERS_URL: process.argv[2] ?? '' });
// The log of tests keeps all lines.
gateway.accessLog.push = () => 0;
new PerformanceObserver(look).observe({ entryTypes: ['gc'] });
process.on('message', () => {
  look();
  process.send?.(promoted);
  promoted = 0;
});
process.send?.(gateway.url);
