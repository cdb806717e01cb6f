import { mountAt } from 'donation-form-server';
import { getEndpoint } from '../../../endpoint.js';

export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';

/**
 * Returns the donor's IP address that the proxy in front of Next.js, or Vercel, saw. Next.js must not
 * be reachable without it, because clients could send any header.
 */
const getAddress = (request) => request.headers.get('X-Forwarded-For')?.split(',').at(-1).trim();

async function handle(request) {
  const endpoint = await getEndpoint();
  return mountAt('/give', endpoint.fetch)(request, { address: getAddress(request) });
}

export { handle as GET, handle as POST, handle as OPTIONS };
