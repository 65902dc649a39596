/** An amount as the API has it. */
export interface Money {
  readonly amount: number;
  readonly currency: string;
}
