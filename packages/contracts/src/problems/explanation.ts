/** Why a request is refused, and what the client does about it. */
export interface Explanation {
  readonly cause: string;
  readonly remedy: string;
}

export const WAIT_OR_READ = 'Read the object: `allowedStatuses` lists the statuses in which the request is allowed.';
export const IN_PERIOD = 'Send it between `allowedFrom` and `allowedUntil`.';
export const ACTIVE_LOT = 'Leave the lot out: a lot that is cancelled, unsuccessful or complete takes no changes.';
export const NEW_LINK = 'Register or upload the file again, and use the new address.';
export const READ_AGAIN = 'Read the object before you repeat a write, because the write may have happened.';

/** The status of `object` does not allow `act`. */
export function byStatus(object: string, act: string): Explanation {
  return { cause: `The status of the ${object} does not allow to ${act}.`, remedy: WAIT_OR_READ };
}

export function byLot(act: string): Explanation {
  return { cause: `The lot is not active any more, so nobody can ${act}.`, remedy: ACTIVE_LOT };
}

export function byPeriod(act: string): Explanation {
  return { cause: `The time is outside the period in which brokers can ${act}.`, remedy: IN_PERIOD };
}

export function tooLarge(what: string): Explanation {
  return { cause: `The ${what} would be larger than {max} bytes.`, remedy: 'Send less text, or put it into a file.' };
}

export function tooMany(what: string): Explanation {
  return { cause: `There are {max} ${what} already.`, remedy: 'Change what is there instead of adding more.' };
}

export function overQuota(what: string): Explanation {
  return {
    cause: `All ${what} together would be larger than {max} bytes.`,
    remedy: 'Send less text, or put it into a file.',
  };
}

export function absent(what: string): Explanation {
  return { cause: `There is no ${what} at this address.`, remedy: 'Take the address from an answer of the API.' };
}
