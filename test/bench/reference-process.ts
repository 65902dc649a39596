import { once } from 'node:events';
import httpProxy from '@fastify/http-proxy';
import Fastify from 'fastify';

// One of the two processes of the reference. The first message is the body to serve, or the address to forward to.
const app = Fastify();
const [bodyOrUpstream] = await once(process, 'message');
if (process.argv[2] === 'constant') {
  app.get('/*', async (_request, reply) => reply.type('application/json; charset=UTF-8').send(bodyOrUpstream));
} else {
  await app.register(httpProxy, { upstream: String(bodyOrUpstream) });
}
const url = await app.listen({ host: '127.0.0.1', port: 0 });
process.send?.(url);
