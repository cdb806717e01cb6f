import { mountAt, toNodeListener } from 'donation-form-server';
import fastify from 'fastify';

/** Creates your site, with the donation server under /give. */
export function createApp(endpoint) {
  // Use the donor's IP address that a proxy on this machine saw. Name your own proxy, or omit this
  // if you have none.
  const app = fastify({ trustProxy: 'loopback' });
  app.register(async (give) => {
    // The endpoint reads bodies itself.
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
