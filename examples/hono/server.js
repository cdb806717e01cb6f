import { serve } from '@hono/node-server';
import { listen, loadConfiguration, createEndpoint } from 'donation-form-server';
import { createApp } from './app.js';

const configuration = await loadConfiguration('donation-form.config.json');
const endpoint = await createEndpoint({ configuration, environment: process.env });
const { host, port } = configuration.listen;
const server = serve({ fetch: createApp(endpoint).fetch, hostname: host, port }, (listening) => {
  endpoint.start();
  console.log(`http://${host}:${listening.port}/give`);
});
// Where donation-form gifts and the like ask.
const operator =
  configuration.operator && (await listen(endpoint.operator, configuration.operator));

process.once('SIGTERM', () => {
  server.close(async () => {
    await operator?.close();
    await endpoint.close();
  });
});
