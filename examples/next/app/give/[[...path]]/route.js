import { mountAt } from 'donation-form-server';
import { theEndpoint } from '../../../endpoint.js';

export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';

/**
 * The address that the one proxy before Next saw, or Vercel. Next itself must not be reached
 * without it, since anybody can send the header.
 */
const addressOf = (request) => request.headers.get('X-Forwarded-For')?.split(',').at(-1).trim();

async function handle(request) {
  const endpoint = await theEndpoint();
  return mountAt('/give', endpoint.fetch)(request, { address: addressOf(request) });
}

export { handle as GET, handle as POST, handle as OPTIONS };
