import { getConnInfo } from '@hono/node-server/conninfo';
import { Hono } from 'hono';
import { mount } from 'hono/mount';

const PROXIES = ['127.0.0.1', '::1'];

/**
 * The donor's address: the one that a proxy on this machine saw. From anybody else the header may
 * be a lie.
 */
function addressOf(c) {
  const { address } = getConnInfo(c).remote;
  return PROXIES.includes(address)
    ? (c.req.header('X-Forwarded-For')?.split(',').at(-1).trim() ?? address)
    : address;
}

/** A site of one's own, with the donation endpoint below /give. */
export function createApp(endpoint) {
  const app = new Hono();
  app.all(
    '/give/*',
    mount(endpoint.fetch, (c) => ({ address: addressOf(c) })),
  );
  app.post('/newsletter', async (c) => c.json({ thanks: (await c.req.json()).email }));
  return app;
}
