import type { RouteContract } from '@procurement/contracts/api/route';
import type { Codec, Generation01 } from '../generations/codec.ts';
import type { OperationExample, SegmentExamples } from './examples.ts';

/**
 * Examples of one segment: `examples` are those of 2.5, translated by its codec. A request is translated as an answer would be; both
 * directions of a codec have the same names, and `tools/openapi/golden.test.ts` validates the result.
 */
export function segmentExamples(
  examples: SegmentExamples,
  { codec, routes, generation01 }: Omit<Translation, 'route'> & { readonly routes: readonly RouteContract[] },
): SegmentExamples {
  return Object.fromEntries(
    routes.flatMap((route) => {
      const example = examples[route.name];
      return example === undefined ? [] : [[route.name, translated(example, { codec, route, generation01 })]];
    }),
  );
}

interface Translation {
  readonly codec: Codec;
  readonly route: RouteContract;
  readonly generation01: Generation01;
}

function translated({ request, response }: OperationExample, translation: Translation): OperationExample {
  return {
    ...(request === undefined ? {} : { request: encoded(request, translation) }),
    response: encoded(response, translation),
  };
}

function encoded(body: unknown, { codec, route, generation01 }: Translation): unknown {
  const status = Number(Object.keys(route.responses)[0]);
  return JSON.parse(codec.encodeResponse({ route, status, query: '', generation01 }, JSON.stringify(body)));
}
