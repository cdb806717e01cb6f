import { loadConfiguration, createEndpoint } from 'donation-form-server';

/**
 * The endpoint of this process, opened when it is first asked for: `next build` loads the routes
 * too, without any key.
 */
export function theEndpoint() {
  return (globalThis.donationEndpoint ??= open().catch((error) => {
    globalThis.donationEndpoint = undefined;
    throw error;
  }));
}

async function open() {
  const endpoint = await createEndpoint({
    configuration: await loadConfiguration('donation-form.config.json'),
    environment: process.env,
  });
  endpoint.start();
  return endpoint;
}
