import { z } from 'zod';

const Manifest = z.looseObject({ apiVersion: z.string(), kind: z.string() });
const Model = z.custom<new (manifest: object) => { validate(): void }>((value) => typeof value === 'function');

/**
 * The faults of a manifest by the official OpenAPI schemas of Kubernetes and cert-manager, from which the packages are made.
 * They allow unknown members, which the strict shapes of the test refuse.
 */
export async function findFaults(document: unknown): Promise<readonly string[]> {
  const manifest = Manifest.parse(document);
  const { apiVersion, kind } = manifest;
  const models: unknown = apiVersion.startsWith('cert-manager.io/')
    ? await import(`@kubernetes-models/cert-manager/${apiVersion}`)
    : await import(`kubernetes-models/${apiVersion}`);
  const Kind = z.record(z.string(), z.unknown()).parse(models)[kind];
  try {
    new (Model.parse(Kind))(manifest).validate();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
