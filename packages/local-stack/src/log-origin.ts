/** Name of the public log of a local installation. Not its address: the port may be another one at the next start, and a log keeps its name. */
export const LOG_ORIGIN = 'sandbox.localhost/log';
