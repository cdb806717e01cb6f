import { createEndpoint, loadConfiguration } from 'donation-form-server';

/**
 * Returns the endpoint of this process. Creates it at the first request, because `next build` loads
 * the routes too, without secrets.
 */
export function getEndpoint() {
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
