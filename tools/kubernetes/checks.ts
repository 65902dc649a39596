import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { isDeepStrictEqual, promisify } from 'node:util';
import { waitFor } from '@procurement/testing/wait-for';
import { z } from 'zod';
import { ROOT } from '../deploy/repository.ts';
import type { Cluster, Printed } from './cluster.ts';
import { makeNamespace, NAMESPACE, type Installation } from './installation.ts';
import { PROGRAMS } from './programs.ts';

/** What is installed, and where. */
export interface Subject {
  readonly cluster: Cluster;
  readonly installation: Installation;
}

/** Throws when something is not as it should be. */
type Check = (subject: Subject) => Promise<void>;

const WAIT_MS = 180_000;
const POLL_MS = 500;
const PODS_OF_US = 'app.kubernetes.io/part-of=procurement';
/** What a second application of the same must not change. */
const APPLIED_KINDS =
  'deployments,services,horizontalpodautoscalers,poddisruptionbudgets,networkpolicies,ingresses,cronjobs';
/** More than a namespace with everything uses while everything restarts. Pods without requests and limits are refused under it. */
const QUOTA = {
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'proof' },
  spec: {
    hard: {
      'requests.cpu': '24',
      'requests.memory': '24Gi',
      'limits.cpu': '80',
      'limits.memory': '48Gi',
      pods: '80',
    },
  },
};

const Named = z.object({ metadata: z.object({ name: z.string() }) });
const Generated = z.object({
  kind: z.string(),
  metadata: z.object({ name: z.string(), generation: z.number().default(0) }),
});
const Deployment = Named.extend({
  spec: z.object({ replicas: z.number() }),
  status: z.object({ availableReplicas: z.number().default(0), updatedReplicas: z.number().default(0) }),
});
const Autoscaler = z.object({
  spec: z.object({ minReplicas: z.number(), scaleTargetRef: z.object({ name: z.string() }) }),
});
const Pod = z.object({
  metadata: z.object({
    name: z.string(),
    labels: z.record(z.string(), z.string()),
    deletionTimestamp: z.string().optional(),
  }),
  spec: z.object({ nodeName: z.string(), containers: z.array(z.object({ image: z.string() })) }),
});
const Slice = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()) }),
  endpoints: z
    .array(z.object({ conditions: z.object({ ready: z.boolean() }) }))
    .nullish()
    .transform((endpoints) => endpoints ?? []),
});
const Budget = Named.extend({ status: z.object({ disruptionsAllowed: z.number(), expectedPods: z.number() }) });
const Event = z.object({ message: z.string(), involvedObject: z.object({ name: z.string() }) });

/** Each check begins with what the one before has left. */
export const CHECKS: Readonly<Record<string, Check>> = {
  'every object is admitted in strict form and without a warning': async ({ installation }) =>
    expectNoWarning(await installation.apply()),
  'autoscalers give each service its least number of pods, without metrics': async ({ cluster }) =>
    expectScaled(cluster),
  'the pods of a service are on different nodes': async ({ cluster }) => {
    const places = (await readPods(cluster)).map((pod) => `${nameOf(pod)} on ${pod.spec.nodeName}`);
    expectNone(
      'two pods',
      places.filter((place, n) => places.indexOf(place) !== n),
    );
  },
  'each Service leads to all pods': async ({ cluster }) => {
    const services = (await read(cluster, 'services', Named)).map(({ metadata }) => metadata.name);
    await waitFor(
      async () => {
        const slices = await read(cluster, 'endpointslices', Slice);
        return services.every((service) => {
          const own = slices.filter(({ metadata }) => metadata.labels['kubernetes.io/service-name'] === service);
          return own.flatMap(({ endpoints }) => endpoints).filter(({ conditions }) => conditions.ready).length >= 2;
        });
      },
      { what: 'two ready endpoints of each Service', timeoutMs: WAIT_MS, intervalMs: POLL_MS },
    );
  },
  'each budget allows one disruption': async ({ cluster }) => expectBudgets(cluster),
  'what is applied again changes nothing': async ({ cluster, installation }) => {
    const before = await read(cluster, APPLIED_KINDS, Generated);
    await installation.apply();
    const after = await read(cluster, APPLIED_KINDS, Generated);
    const changed = after.filter((object, n) => !isDeepStrictEqual(object, before[n]));
    expectNone(
      'changed',
      changed.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    );
  },
  'a restart of everything under a quota has no pod refused': async ({ cluster }) => {
    await ask(cluster, ['apply', '--server-side', '-f', '-'], JSON.stringify(QUOTA));
    await ask(cluster, ['rollout', 'restart', 'deployment']);
    await expectRolledOut(cluster);
    await ask(cluster, ['delete', 'resourcequota', QUOTA.metadata.name]);
    const refused = await read(cluster, 'events', Event, ['--field-selector', 'reason=FailedCreate']);
    expectNone(
      'refused',
      refused.map(({ involvedObject, message }) => `${involvedObject.name}: ${message}`),
    );
  },
  'the verification runs as a job on request': async ({ cluster }) => {
    await ask(cluster, ['create', 'job', 'verify-1', '--from=cronjob/verify']);
    await ask(cluster, ['wait', '--for=condition=Complete', 'job/verify-1', '--timeout=60s']);
    await ask(cluster, ['delete', 'job', 'verify-1']);
  },
  'an upgrade of images and settings leaves each service all its pods at every moment': async (subject) => {
    await expectAvailable(subject.cluster, async () => {
      subject.installation.change('0.1.1');
      await subject.installation.apply();
      await expectRolledOut(subject.cluster);
    });
    await expectImages(subject.cluster, ':0.1.1');
  },
  'kubectl rollout undo goes back': async ({ cluster, installation }) => {
    await expectAvailable(cluster, async () => {
      for (const { metadata } of await read(cluster, 'deployments', Deployment))
        await ask(cluster, ['rollout', 'undo', `deployment/${metadata.name}`]);
      await expectRolledOut(cluster);
    });
    await expectImages(cluster, `:${installation.version}`);
  },
  'a node can be drained, and its pods are elsewhere': async ({ cluster }) => {
    await ask(cluster, ['drain', 'node-0', '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=120s']);
    await expectScaled(cluster);
    await ask(cluster, ['uncordon', 'node-0']);
    await expectBudgets(cluster);
  },
  'a node can be drained while its pods are not ready, as without their database': async ({ cluster }) => {
    const pods = (await readPods(cluster)).filter((pod) => nameOf(pod) === 'tenders');
    const conditions = ['Ready', 'ContainersReady'].map((type) => ({ type, status: 'False' }));
    for (const { metadata } of pods) {
      const patch = ['--subresource=status', '--type=strategic', '--patch', JSON.stringify({ status: { conditions } })];
      await ask(cluster, ['patch', 'pod', metadata.name, ...patch]);
    }
    const selector = ['--pod-selector', 'app.kubernetes.io/name=tenders'];
    const flags = ['--ignore-daemonsets', '--delete-emptydir-data', '--timeout=60s', ...selector];
    const node = pods[0]?.spec.nodeName ?? '';
    await ask(cluster, ['drain', node, ...flags]);
    await ask(cluster, ['uncordon', node]);
    await ask(cluster, ['rollout', 'restart', 'deployment/tenders']);
    await expectRolledOut(cluster);
  },
  'the chart passes its tests, those with Helm too': async () => {
    const env = { ...process.env, HELM: join(PROGRAMS, 'helm') };
    await promisify(execFile)('npx', ['vitest', 'run', '--project', 'unit', 'tools/deploy/chart.test.ts'], {
      cwd: ROOT,
      env,
    });
  },
  'the chart with everything switched on is admitted in strict form': async ({ cluster, installation }) => {
    const all = ['--set', 'portal.enabled=true,monitoring.podMonitor=true,monitoring.prometheusRule=true'];
    const gateway = ['--set-json', 'gatewayApi={"enabled":true,"parentRefs":[{"name":"public"}]}'];
    const words = ['template', 'procurement', installation.chart, '--namespace', NAMESPACE, ...all, ...gateway];
    const { output } = await cluster.run('helm', words);
    const strict = ['apply', '--server-side', '--force-conflicts', '--validate=strict', '--dry-run=server'];
    expectNoWarning(await ask(cluster, [...strict, '-f', '-'], output));
  },
  'Helm installs the chart, and upgrades it after the migration Jobs with all pods at every moment': async (
    subject,
  ) => {
    const { cluster, installation } = subject;
    await ask(cluster, ['delete', '-k', installation.overlay, '--wait']);
    await makeNamespace(cluster);
    const helm = async (...words: readonly string[]): Promise<Printed> =>
      cluster.run('helm', [...words, '--namespace', NAMESPACE, '--wait', '--timeout', '5m']);
    const upgrade = ['upgrade', '--install', 'procurement', installation.chart];
    await helm(...upgrade, '--set', 'portal.enabled=true');
    await expectScaled(cluster);
    await expectAvailable(cluster, async () => {
      await helm(...upgrade, '--reuse-values', '--set', 'images.tag=0.1.1,settings.LOG_LEVEL=warn');
    });
    await expectImages(cluster, ':0.1.1');
    await expectAvailable(cluster, async () => {
      await helm('rollback', 'procurement', '1');
    });
    await expectImages(cluster, `:${installation.version}`);
  },
};

function ask({ run }: Cluster, words: readonly string[], input?: string): Promise<Printed> {
  return run('kubectl', ['--namespace', NAMESPACE, ...words], input);
}

async function read<T>(
  cluster: Cluster,
  kinds: string,
  shape: z.ZodType<T>,
  words: readonly string[] = [],
): Promise<readonly T[]> {
  const { output } = await ask(cluster, ['get', kinds, '--output', 'json', ...words]);
  return z.object({ items: z.array(shape) }).parse(JSON.parse(output)).items;
}

/** The pods of services that are not about to end. Throws when there is none. */
async function readPods(cluster: Cluster): Promise<readonly z.infer<typeof Pod>[]> {
  const notOfJobs = `${PODS_OF_US},app.kubernetes.io/name!=verify`;
  const pods = await read(cluster, 'pods', Pod, ['--selector', notOfJobs]);
  const staying = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (staying.length === 0) throw new Error('there is no pod');
  return staying;
}

function nameOf({ metadata }: z.infer<typeof Pod>): string {
  return metadata.labels['app.kubernetes.io/name'] ?? metadata.name;
}

function expectNone(what: string, found: readonly string[]): void {
  if (found.length > 0) throw new Error(`${what}: ${found.join(', ')}`);
}

function expectNoWarning({ warnings }: Printed): void {
  expectNone(
    'warnings',
    warnings.split('\n').filter((line) => /warning/i.test(line)),
  );
}

async function expectRolledOut(cluster: Cluster): Promise<void> {
  for (const { metadata } of await read(cluster, 'deployments', Deployment))
    await ask(cluster, ['rollout', 'status', `deployment/${metadata.name}`, '--timeout=180s']);
}

/** Waits until each deployment has as many available pods as its autoscaler wants at least. */
async function expectScaled(cluster: Cluster): Promise<void> {
  const isScaled = async (): Promise<boolean> => {
    const autoscalers = await read(cluster, 'horizontalpodautoscalers', Autoscaler);
    const least = new Map(autoscalers.map(({ spec }) => [spec.scaleTargetRef.name, spec.minReplicas]));
    const deployments = await read(cluster, 'deployments', Deployment);
    return deployments.every(({ metadata, spec, status }) => {
      const wanted = least.get(metadata.name) ?? spec.replicas;
      return spec.replicas === wanted && status.availableReplicas === wanted && status.updatedReplicas === wanted;
    });
  };
  await waitFor(isScaled, { what: 'the pods of all autoscalers', timeoutMs: WAIT_MS, intervalMs: POLL_MS });
}

async function expectBudgets(cluster: Cluster): Promise<void> {
  const isAllowed = async (): Promise<boolean> =>
    (await read(cluster, 'poddisruptionbudgets', Budget)).every(
      ({ status }) => status.disruptionsAllowed === 1 && status.expectedPods >= 2,
    );
  await waitFor(isAllowed, { what: 'a disruption that each budget allows', timeoutMs: WAIT_MS, intervalMs: POLL_MS });
}

async function expectImages(cluster: Cluster, ending: string): Promise<void> {
  const isOnly = async (): Promise<boolean> =>
    (await readPods(cluster)).every(({ spec }) => spec.containers.every(({ image }) => image.endsWith(ending)));
  await waitFor(isOnly, { what: `images with ${ending} only`, timeoutMs: WAIT_MS, intervalMs: POLL_MS });
}

/** Acts, and throws if a deployment had fewer available pods than at the beginning at any moment of it. */
async function expectAvailable(cluster: Cluster, act: () => Promise<void>): Promise<void> {
  const readCounts = async (): Promise<ReadonlyMap<string, number>> =>
    new Map(
      (await read(cluster, 'deployments', Deployment)).map((one) => [one.metadata.name, one.status.availableReplicas]),
    );
  const before = await readCounts();
  const missing = new Set<string>();
  let isActing = true;
  const watch = async (): Promise<void> => {
    while (isActing)
      for (const [name, count] of await readCounts())
        if (count < (before.get(name) ?? 0)) missing.add(`${name}: ${count} of ${before.get(name)}`);
  };
  const watching = watch();
  try {
    await act();
  } finally {
    isActing = false;
    await watching;
  }
  expectNone('fewer pods', [...missing]);
}
