import { createEndpoint, listen, loadConfiguration } from 'donation-form-server';
import { createApp } from './app.js';

const configuration = await loadConfiguration('donation-form.config.json');
const endpoint = await createEndpoint({ configuration, environment: process.env });
const { host, port } = configuration.listen;
const server = createApp(endpoint).listen(port, host, () => {
  endpoint.start();
  console.log(`http://${host}:${server.address().port}/give`);
});
// Serves the admin pages and commands such as donation-form donations.
const admin = configuration.admin && (await listen(endpoint.admin, configuration.admin));

process.once('SIGTERM', () => {
  server.close(async () => {
    await admin?.close();
    await endpoint.close();
  });
});
