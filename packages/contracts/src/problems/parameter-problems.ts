/** 400: endpoints of the register refuse what they do not understand, so that a misspelt filter never means "everything". */
function badParameter<const D extends string>(description: D) {
  return { status: 400, location: 'params', name: '{name}', description } as const;
}

/** Problems of parameters (register.md 3.2). `problems.ts` checks the shape of these rows. */
export const parameterProblems = {
  'params.unknown': badParameter('Unknown parameter'),
  'params.invalid': badParameter('Invalid value'),
  'params.conflict': badParameter('Conflicts with {first}'),
  'params.not-found': { status: 404, location: 'params', name: '{name}', description: 'Not Found' },
  'params.expired': { status: 404, location: 'params', name: '{name}', description: 'Offset expired/invalid' },
  'search.broad': { status: 422, location: 'params', name: 'q', description: 'Query is too broad' },
  'stream.last-event-id': {
    status: 404,
    location: 'header',
    name: 'Last-Event-ID',
    description: 'Offset expired/invalid',
  },
  'ocds.not-found': { status: 404, location: 'url', name: '{name}', description: 'Not Found' },
  'log.not-found': { status: 404, location: 'url', name: '{name}', description: 'Not Found' },
  'revision.not-found': { status: 404, location: 'url', name: 'rev', description: 'Not Found' },
} as const;
