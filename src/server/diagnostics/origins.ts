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
 * Checks an organization's page origins, and reports whether donors can donate without JavaScript.
 * @param serverOrigins the server's known origins: the listening origin, followed by public ones.
 */
export async function checkOrigins(
  organization: string,
  origins: Iterable<string>,
  serverOrigins: readonly string[],
): Promise<CheckResult[]> {
  const [, publicOrigin] = serverOrigins;
  const all = [...origins];
  const own = all.filter((origin) => serverOrigins.includes(origin));
  const others = all.filter((origin) => !own.includes(origin));
  // A server under a path of the website has the website's origin.
  if (others.length === 0)
    return [
      createWarningResult(
        `origin ${own.join(', ')} for ${organization}`,
        "This is the server's own origin. If the page with the form is on another website, add " +
          "that website's origin.",
      ),
    ];
  return [
    ...(await Promise.all(
      others.map((origin) => checkOrigin(`origin ${origin} for ${organization}`, origin)),
    )),
    createPassedResult(
      `no-JavaScript page for ${organization}`,
      own.length > 0
        ? `The page at ${own[0]}/donate accepts donations.`
        : describeMissingOrigin(publicOrigin),
    ),
  ];
}

function describeMissingOrigin(publicOrigin: string | undefined): string {
  return publicOrigin === undefined
    ? 'The /donate page accepts donations if "origins" contains this server\'s public origin.'
    : `The page at ${publicOrigin}/donate accepts no donations. If ${publicOrigin} is the server's ` +
        'public origin, add it to "origins" to turn the page on.';
}

async function checkOrigin(name: string, origin: string): Promise<CheckResult> {
  const { protocol, hostname } = new URL(origin);
  if (protocol === 'http:' && !LOOPBACK_HOST.test(hostname))
    return createFailedResult(
      name,
      'The form does not accept donations on a page without HTTPS. Serve the page over HTTPS, ' +
        'and configure the https:// origin.',
    );
  try {
    const { status } = await fetch(origin, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_TIMEOUT),
    });
    return createPassedResult(name, `The website responded with status ${status}.`);
  } catch (error) {
    const reason = getErrorReason(error);
    return reason === 'ENOTFOUND'
      ? createFailedResult(name, 'This host does not exist. Check the spelling.')
      : createWarningResult(
          name,
          `This machine cannot reach the website (${reason}). If a browser can open the page, ignore ` +
            'this warning.',
        );
  }
}
