import { toNodeListener } from 'donation-form-server';
import express from 'express';

/** Creates your site, with the donation server under /give. */
export function createApp(endpoint) {
  const app = express();
  // Use the donor's IP address that a proxy on this machine saw. Name your own proxy, or omit this
  // if you have none.
  app.set('trust proxy', 'loopback');
  // Register the endpoint before any body parser, because it reads bodies itself.
  app.use(
    '/give',
    toNodeListener(endpoint.fetch, (request) => request.ip),
  );
  app.use(express.json());
  app.post('/newsletter', (request, response) => response.json({ thanks: request.body.email }));
  return app;
}
