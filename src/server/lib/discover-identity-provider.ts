import type { Configuration } from 'openid-client';

/** The organization's own identity provider. */
export interface IdentityProvider {
  /** URL, such as `https://login.example.org`. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Shown on the sign-in page. */
  readonly name: string;
}

/**
 * Loads the provider's endpoints and keys.
 * @throws {Error} if the provider does not answer, or is another one.
 */
export async function discoverIdentityProvider({
  issuer,
  clientId,
  clientSecret,
}: IdentityProvider): Promise<Configuration> {
  // oxlint-disable-next-line typescript/no-deprecated -- marked so that it stands out
  const { allowInsecureRequests, discovery } = await import('openid-client');
  // The configuration accepts http: only for this machine.
  const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
  return discovery(new URL(issuer), clientId, clientSecret, undefined, { execute });
}
