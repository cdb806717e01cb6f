import { serve } from '@hono/node-server';
import { createEndpoint, listen, loadConfiguration } from 'donation-form-server';
import { createApp } from './app.js';

const configuration = await loadConfiguration('donation-form.config.json');
const endpoint = await createEndpoint({ configuration, environment: process.env });
const { host, port } = configuration.listen;
const server = serve({ fetch: createApp(endpoint).fetch, hostname: host, port }, (listening) => {
  endpoint.start();
  console.log(`http://${host}:${listening.port}/give`);
});
// Serves the admin pages and commands such as donation-form donations.
const admin = configuration.admin && (await listen(endpoint.admin, configuration.admin));

process.once('SIGTERM', () => {
  server.close(async () => {
    await admin?.close();
    await endpoint.close();
  });
});
