import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Requests whose clients wait for `100 Continue`. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>();

/**
 * Passes a request with `Expect: 100-continue` on like any other. Without this Node answers 100 before anything is checked. When such
 * a request is answered without `askForBody`, Node ends the connection: the body may follow, or not. Any other expectation is ignored:
 * Node would answer 417 by itself, without a body and before anything is checked.
 */
export function holdContinue(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(request, response);
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response);
  });
}

/** Lets a client that waits for `100 Continue` send its body. Called when the body is about to be read; further calls do nothing. */
export function askForBody(request: IncomingMessage): void {
  waiting.get(request)?.writeContinue();
  waiting.delete(request);
}

/** True for a client that still waits for `100 Continue`, so that no body is on its way. */
export function waitsToSend(request: IncomingMessage): boolean {
  return waiting.has(request);
}
