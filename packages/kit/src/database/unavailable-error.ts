import { ConflictError } from './transaction.ts';

/**
 * Another service could not be asked. An event that fails by it is given back to the server and counts no attempt, as with
 * every ConflictError: the event is not at fault and is applied when the other service is back.
 */
export class UnavailableError extends ConflictError {
  constructor(what: string) {
    super(undefined);
    this.name = 'UnavailableError';
    this.message = `${what} is unavailable`;
  }
}
