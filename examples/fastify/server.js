import { listen, loadConfiguration, createEndpoint } from 'donation-form-server';
import { createApp } from './app.js';

const configuration = await loadConfiguration('donation-form.config.json');
const endpoint = await createEndpoint({ configuration, environment: process.env });
const app = createApp(endpoint);
console.log(`${await app.listen(configuration.listen)}/give`);
endpoint.start();
// Where donation-form gifts and the like ask.
const operator =
  configuration.operator && (await listen(endpoint.operator, configuration.operator));

process.once('SIGTERM', async () => {
  await app.close();
  await operator?.close();
  await endpoint.close();
});
