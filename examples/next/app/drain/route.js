import { createHash, timingSafeEqual } from 'node:crypto';
import { theEndpoint } from '../../endpoint.js';

export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';
export const maxDuration = 60;

const hash = (text) => createHash('sha256').update(text).digest();

/**
 * For a scheduler that calls an address every minute, such as Vercel's, which sends CRON_SECRET
 * along.
 */
export async function GET(request) {
  const { CRON_SECRET } = process.env;
  const isScheduler =
    CRON_SECRET !== undefined &&
    timingSafeEqual(
      hash(request.headers.get('Authorization') ?? ''),
      hash(`Bearer ${CRON_SECRET}`),
    );
  if (!isScheduler) return new Response(null, { status: 401 });
  return Response.json(await (await theEndpoint()).drain({ seconds: 30 }));
}
