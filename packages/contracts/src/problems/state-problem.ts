/** 403: the state of an object does not allow the request (http.md 0.2 step 14). */
export function stateProblem<const D extends string>(description: D) {
  return { status: 403, location: 'body', name: 'data', description } as const;
}

/** 403: the lot of the object is not active. */
export function lotProblem<const D extends string>(description: D) {
  return { ...stateProblem(description), allowedStatuses: ['active'] } as const;
}
