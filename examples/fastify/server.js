import { createEndpoint, listen, loadConfiguration } from 'donation-form-server';
import { createApp } from './app.js';

const configuration = await loadConfiguration('donation-form.config.json');
const endpoint = await createEndpoint({ configuration, environment: process.env });
const app = createApp(endpoint);
console.log(`${await app.listen(configuration.listen)}/give`);
endpoint.start();
// Serves the admin pages and commands such as donation-form donations.
const admin = configuration.admin && (await listen(endpoint.admin, configuration.admin));

process.once('SIGTERM', async () => {
  await app.close();
  await admin?.close();
  await endpoint.close();
});
