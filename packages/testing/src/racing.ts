interface RacingResponse {
  readonly statusCode: number;
  json(): { readonly errors: readonly unknown[] };
}

/** Returns how many of the creations that raced were accepted, and the errors of each that was answered 422. */
export function raced(responses: readonly RacingResponse[]): {
  readonly accepted: number;
  readonly refused: readonly (readonly unknown[])[];
} {
  return {
    accepted: responses.filter(({ statusCode }) => statusCode === 201).length,
    refused: responses.filter(({ statusCode }) => statusCode === 422).map((response) => response.json().errors),
  };
}
