import { pathParameters, type DescribedRoute, type DescribedSegment } from './described-route.ts';

/** One method (http.md 6.1). Members equal to those of the service are left out. */
interface SporeMethod {
  readonly path: string;
  readonly method: string;
  readonly formats: readonly string[];
  readonly required_params?: readonly string[];
  readonly optional_params?: readonly string[];
  readonly expected_status?: readonly number[];
  readonly authentication?: true;
  readonly description: string;
}

export interface SporeDescription {
  readonly name: string;
  readonly base_url: string;
  readonly version: string;
  readonly expected_status: readonly number[];
  readonly formats: readonly string[];
  readonly methods: Readonly<Record<string, SporeMethod>>;
}

const FORMAT_PARAMETERS = ['opt_pretty', 'opt_jsonp'];

/**
 * The description that generic clients load from `/spore`: every operation of the segment, and a `head_` method for every
 * GET. Made from the contracts.
 */
export function sporeDescription(routes: readonly DescribedRoute[], about: DescribedSegment): SporeDescription {
  const methods: Record<string, SporeMethod> = {};
  for (const route of routes) {
    // Paths of SPORE are below the segment.
    if (!route.segments.includes(about.generation) || route.outsideSegments === true) continue;
    const method = describeMethod(route);
    methods[route.spore] = method;
    if (route.method === 'GET') methods[route.spore.replace(/^get_/, 'head_')] = { ...method, method: 'HEAD' };
  }
  return {
    name: 'Public Procurement Tender Service',
    base_url: about.baseUrl,
    version: about.segment,
    expected_status: [200],
    formats: ['json'],
    methods,
  };
}

function describeMethod(route: DescribedRoute): SporeMethod {
  const required = pathParameters(route.path);
  const optional = optionalParameters(route, required.length > 0);
  const statuses = Object.keys(route.responses).map(Number);
  return {
    path: route.path,
    method: route.method,
    formats: ['json'],
    ...(required.length > 0 ? { required_params: required } : {}),
    ...(optional.length > 0 ? { optional_params: optional } : {}),
    ...(statuses.join() === '200' ? {} : { expected_status: statuses }),
    ...(route.method === 'GET' ? {} : { authentication: true }),
    description: route.summary,
  };
}

/** Changes of an existing object accept its owner token. */
function optionalParameters(route: DescribedRoute, onExistingObject: boolean): readonly string[] {
  const declared = Object.keys(route.query?.shape ?? {});
  if (route.method === 'GET') return [...new Set([...declared, ...FORMAT_PARAMETERS])];
  return onExistingObject ? [...declared, 'acc_token'] : declared;
}
