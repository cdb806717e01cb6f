import { ok, reasonOf, untried, wrong, type Finding } from '../lib/finding.ts';

const PATIENCE = 5_000;
const ownMachine = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|.*\.localhost)$/;

/**
 * Checks the pages' origins of an organisation.
 * @param endpoints where this endpoint itself is, as far as that is known.
 */
export function checkOrigins(
  organization: string,
  origins: Iterable<string>,
  endpoints: readonly string[],
): Promise<Finding[]> {
  return Promise.all(
    [...origins].map(async (origin): Promise<Finding> => {
      const about = `origin ${origin} of ${organization}`;
      const { protocol, hostname } = new URL(origin);
      if (endpoints.includes(origin))
        return wrong(
          about,
          "this is the endpoint's own address; name the origin of the page that shows the form",
        );
      if (protocol === 'http:' && !ownMachine.test(hostname))
        return wrong(
          about,
          'the form takes no gift on a page without https; serve the page by https and name that origin',
        );
      try {
        const { status } = await fetch(origin, {
          method: 'HEAD',
          redirect: 'manual',
          signal: AbortSignal.timeout(PATIENCE),
        });
        return ok(about, `answers (${status})`);
      } catch (error) {
        return reasonOf(error) === 'ENOTFOUND'
          ? wrong(about, 'there is no such name; check its spelling')
          : untried(
              about,
              `it does not answer this machine (${reasonOf(error)}); browsers may still reach it`,
            );
      }
    }),
  );
}
