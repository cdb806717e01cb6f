import { mountAt, toNodeListener } from 'donation-form-server';
import fastify from 'fastify';

/** A site of one's own, with the donation endpoint below /give. */
export function createApp(endpoint) {
  // The donor's address is the one that a proxy on this machine saw. Name your own proxy, or leave
  // this out where there is none.
  const app = fastify({ trustProxy: 'loopback' });
  app.register(async (give) => {
    // The endpoint reads the bodies itself.
    give.removeAllContentTypeParsers();
    give.addContentTypeParser('*', (request, body, done) => done(null));
    give.all('/give/*', (request, reply) => {
      reply.hijack();
      return toNodeListener(mountAt('/give', endpoint.fetch), () => request.ip)(
        request.raw,
        reply.raw,
      );
    });
  });
  app.post('/newsletter', (request) => ({ thanks: request.body.email }));
  return app;
}
