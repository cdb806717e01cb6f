import { toNodeListener } from 'donation-form-server';
import express from 'express';

/** A site of one's own, with the donation endpoint below /give. */
export function createApp(endpoint) {
  const app = express();
  // The donor's address is the one that a proxy on this machine saw. Name your own proxy, or leave
  // this out where there is none.
  app.set('trust proxy', 'loopback');
  // Before any body parser: the endpoint reads the bodies itself.
  app.use(
    '/give',
    toNodeListener(endpoint.fetch, (request) => request.ip),
  );
  app.use(express.json());
  app.post('/newsletter', (request, response) => response.json({ thanks: request.body.email }));
  return app;
}
