import { createHash, timingSafeEqual } from 'node:crypto';
import { getEndpoint } from '../../endpoint.js';

export const runtime = 'nodejs';
export const dynamic = 'force-dynamic';
export const maxDuration = 60;

const hash = (text) => createHash('sha256').update(text).digest();

/**
 * Runs background jobs, for a scheduler that calls this URL every minute with CRON_SECRET, such as
 * Vercel's.
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
  return Response.json(await (await getEndpoint()).runJobs({ timeoutSeconds: 30 }));
}
