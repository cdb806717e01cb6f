import {
  createFailedResult,
  createPassedResult,
  createWarningResult,
  type CheckResult,
} from '../lib/check-result.ts';
import { getErrorReason } from '../lib/get-error-reason.ts';

const REQUEST_TIMEOUT = 5_000;
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|.*\.localhost)$/;

/**
 * Checks the origins of an organization's pages.
 * @param serverOrigins the known origins of this server.
 */
export function checkOrigins(
  organization: string,
  origins: Iterable<string>,
  serverOrigins: readonly string[],
): Promise<CheckResult[]> {
  return Promise.all(
    [...origins].map((origin) =>
      checkOrigin(`origin ${origin} of ${organization}`, origin, serverOrigins),
    ),
  );
}

async function checkOrigin(
  name: string,
  origin: string,
  serverOrigins: readonly string[],
): Promise<CheckResult> {
  const { protocol, hostname } = new URL(origin);
  if (serverOrigins.includes(origin))
    return createFailedResult(
      name,
      "This is the server's own origin. Configure the origin of the page that shows the form.",
    );
  if (protocol === 'http:' && !LOOPBACK_HOST.test(hostname))
    return createFailedResult(
      name,
      'The form does not accept donations on a page without HTTPS. Serve the page over HTTPS ' +
        'and configure that origin.',
    );
  try {
    const { status } = await fetch(origin, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT),
    });
    return createPassedResult(name, `Responds with status ${status}.`);
  } catch (error) {
    const reason = getErrorReason(error);
    return reason === 'ENOTFOUND'
      ? createFailedResult(name, 'This host does not exist. Check the spelling.')
      : createWarningResult(
          name,
          `Not reachable from this machine (${reason}). Open it in a browser: if the page appears, ` +
            'this is harmless.',
        );
  }
}
