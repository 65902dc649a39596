import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ProxyDeps } from './deps.ts';

/** Counts a stream until its connection closes. False when its broker, or its address without a key, has as many as it may. */
export function enterStream(
  { concurrency, openStreams }: ProxyDeps,
  { context }: FastifyRequest,
  reply: FastifyReply,
): boolean {
  const { caller, address } = context;
  const isBroker = caller.kind === 'broker';
  const counter = isBroker ? concurrency.streamsOfBroker : concurrency.streamsOfAddress;
  const key = isBroker ? caller.broker.name : address;
  if (!counter.enter(key)) return false;
  openStreams.add(reply.raw);
  reply.raw.once('close', () => {
    openStreams.delete(reply.raw);
    counter.leave(key);
  });
  return true;
}
