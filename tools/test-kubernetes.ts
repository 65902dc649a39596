import { CHECKS, type Subject } from './kubernetes/checks.ts';
import { startCluster } from './kubernetes/cluster.ts';
import { addCustomKinds, makeInstallation, makeNamespace } from './kubernetes/installation.ts';
import { buildPrograms } from './kubernetes/programs.ts';

// `npm run test:kubernetes`: the manifests and the chart as they are shipped, on a real control plane of Kubernetes, with its admission,
// controllers and scheduler. Its nodes run no containers. It needs Go with a module proxy, and is skipped without.
async function runChecks(subject: Subject): Promise<number> {
  let failed = 0;
  for (const [what, check] of Object.entries(CHECKS)) {
    const beganAt = performance.now();
    const seconds = (): string => `(${Math.round((performance.now() - beganAt) / 1_000)} s)`;
    try {
      await check(subject);
      console.log(`ok      ${what} ${seconds()}`);
    } catch (error) {
      console.log(`FAILED  ${what} ${seconds()}\n        ${error instanceof Error ? error.message : String(error)}`);
      failed += 1;
    }
  }
  console.log(`${Object.keys(CHECKS).length - failed} passed, ${failed} failed`);
  return failed;
}

const obstacle = buildPrograms();
if (obstacle !== undefined) console.log(`skipped: ${obstacle}`);
else {
  const cluster = await startCluster();
  try {
    await addCustomKinds(cluster);
    await makeNamespace(cluster);
    if ((await runChecks({ cluster, installation: makeInstallation(cluster) })) > 0) process.exitCode = 1;
  } finally {
    await cluster.stop();
  }
}
