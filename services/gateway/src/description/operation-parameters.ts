import { DRY_RUN_OWNERS } from '@procurement/contracts/api/route';
import type { z } from 'zod';
import type { JsonSchema } from '../generations/schema-overrides.ts';
import type { Components } from './components.ts';
import { pathParameters, type DescribedRoute, type DescribedSegment } from './described-route.ts';
import { describedParameter, pathPatternOf } from './openapi-names.ts';
import { hasPrecondition, namesIgnoredMembers } from './openapi-parts.ts';
import type { SchemaCatalog } from './schema-catalog.ts';

/** Streams and files are passed on as they are. A write whose owner cannot try it without effect is refused with `opt_dry_run`. */
function listFormatParameters({ method, stream, file, owner }: DescribedRoute): readonly string[] {
  if (stream === true || file !== undefined) return [];
  if (method === 'GET') return ['opt_pretty', 'opt_jsonp'];
  return owner !== undefined && !DRY_RUN_OWNERS.has(owner) ? ['opt_pretty'] : ['opt_pretty', 'opt_dry_run'];
}

/** The parameters of an operation: of its path, its query, and those that operations share. */
export function buildParameters(
  route: DescribedRoute,
  { generation }: DescribedSegment,
  { catalog, components }: { readonly catalog: SchemaCatalog; readonly components: Components },
): readonly JsonSchema[] {
  const inPath = pathParameters(route.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    description: describedParameter(name),
    schema: { type: 'string', ...pathPatternOf(name) },
  }));
  const query = Object.entries(route.query?.shape ?? {}).map(([name, shape]) => {
    // The shape of a zod object holds zod types.
    return buildParameter(
      name,
      'query',
      shape as z.ZodType,
      components.use(catalog.schemaOf(shape as z.ZodType, 'input'), 'input'),
    );
  });
  const named = new Set(query.map(({ name }) => name));
  const formatParameters = listFormatParameters(route);
  const tokens = inPath.length > 0 ? ['acc_token', 'X-Access-Token'] : [];
  const idempotencyParameters = route.method === 'POST' ? ['Idempotency-Key'] : [];
  const preconditionParameters = hasPrecondition(route) ? ['If-Match'] : [];
  const preferences = generation === '2.5' && namesIgnoredMembers(route) ? ['Prefer'] : [];
  const common = [
    ...formatParameters,
    ...tokens,
    ...idempotencyParameters,
    ...preconditionParameters,
    ...preferences,
  ].filter((name) => !named.has(name));
  return [...inPath, ...query, ...common.map((name) => ({ $ref: `#/components/parameters/${name}` }))];
}

/** A parameter takes the description of its schema. */
export function buildParameter(
  name: string,
  place: 'query' | 'header',
  shape: z.ZodType,
  schema: JsonSchema,
): JsonSchema & { name: string } {
  const { description, ...rest } = schema;
  return {
    name,
    in: place,
    ...(shape.isOptional() ? {} : { required: true }),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  };
}
