import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import { mount } from 'hono/mount';

const PROXIES = ['127.0.0.1', '::1'];

/**
 * Returns the donor's IP address that a proxy on this machine saw. Clients could send any header, so
 * it counts only from the proxy.
 */
function getAddress(c) {
  const { address } = getConnInfo(c).remote;
  return PROXIES.includes(address)
    ? (c.req.header('X-Forwarded-For')?.split(',').at(-1).trim() ?? address)
    : address;
}

/** Creates your site, with the donation server under /give. */
export function createApp(endpoint) {
  const app = new Hono();
  app.all(
    '/give/*',
    mount(endpoint.fetch, (c) => ({ address: getAddress(c) })),
  );
  app.post('/newsletter', async (c) => c.json({ thanks: (await c.req.json()).email }));
  return app;
}
