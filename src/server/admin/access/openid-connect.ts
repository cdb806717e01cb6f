import type { ServerBase } from '../../database/database.ts';
import { cacheResults } from '../../lib/cache-results.ts';
import { describeError } from '../../lib/describe-error.ts';
import {
  discoverIdentityProvider,
  type IdentityProvider,
} from '../../lib/discover-identity-provider.ts';
import type { Identity } from '../../staff/identity-repository.ts';
import type { OneTimeTokens } from '../../staff/one-time-tokens.ts';
import { hashBrowserToken } from './sessions.ts';

const CALLBACK_PATH = '/sign-in/openid-connect/callback';
/** In milliseconds. */
const REQUEST_LIFETIME = 900_000;
/** Seconds since the person entered a password at the provider, to confirm that it is them. */
const MAX_CONFIRMATION_AGE = 600;

/** Why someone is sent to the provider. */
export interface ProviderRequest {
  readonly returnTo: string;
  /** ID of the signed-in person who links an account. */
  readonly linkTo?: string | undefined;
  /** Token of an invitation, whose person links an account. */
  readonly invitation?: string | undefined;
  /** True if the person must enter their password at the provider again. */
  readonly isConfirmation?: boolean | undefined;
}

interface StoredRequest extends ProviderRequest {
  readonly browser: string;
  readonly codeVerifier: string;
  readonly nonce: string;
}

/** Signs people in with the organization's own identity provider. */
export class OpenIdConnect {
  readonly provider: IdentityProvider;
  readonly #tokens: OneTimeTokens;
  readonly #adminUrl: string;
  readonly #log: ServerBase['log'];
  readonly #discover: () => ReturnType<typeof discoverIdentityProvider>;

  /** @param adminUrl URL at which the staff open the admin pages. */
  constructor(
    provider: IdentityProvider,
    {
      oneTimeTokens,
      log,
    }: { readonly oneTimeTokens: OneTimeTokens; readonly log: ServerBase['log'] },
    adminUrl: string,
  ) {
    this.provider = provider;
    this.#tokens = oneTimeTokens;
    this.#adminUrl = adminUrl;
    this.#log = log;
    this.#discover = cacheResults(() => discoverIdentityProvider(provider));
  }

  /** Returns the provider's URL to open, or `undefined` if the provider does not answer. */
  async startRequest(request: ProviderRequest, browserToken: string): Promise<string | undefined> {
    const {
      buildAuthorizationUrl,
      calculatePKCECodeChallenge,
      randomNonce,
      randomPKCECodeVerifier,
    } = await import('openid-client');
    const configuration = await this.#discover().catch((error: unknown) => {
      this.#log.error(describeError(error), 'the identity provider does not answer');
    });
    if (!configuration) return undefined;
    const stored: StoredRequest = {
      ...request,
      browser: hashBrowserToken(browserToken),
      codeVerifier: randomPKCECodeVerifier(),
      nonce: randomNonce(),
    };
    const state = await this.#tokens.create({
      purpose: 'openid-connect',
      data: stored,
      lifetime: REQUEST_LIFETIME,
    });
    return buildAuthorizationUrl(configuration, {
      redirect_uri: this.#adminUrl + CALLBACK_PATH,
      scope: 'openid',
      code_challenge: await calculatePKCECodeChallenge(stored.codeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce: stored.nonce,
      ...(request.isConfirmation && { max_age: String(MAX_CONFIRMATION_AGE) }),
    }).href;
  }

  /**
   * Verifies the provider's answer, once and in the browser that was sent to the provider.
   * @param query of the callback, with the question mark.
   */
  async finishRequest(
    query: string,
    browserToken: string,
  ): Promise<{ readonly request: ProviderRequest; readonly identity: Identity } | undefined> {
    const state = new URLSearchParams(query).get('state') ?? '';
    const token = await this.#tokens.consume(state, 'openid-connect');
    const request = token && (JSON.parse(token.data ?? '{}') as StoredRequest);
    if (request?.browser !== hashBrowserToken(browserToken)) return undefined;
    const { authorizationCodeGrant } = await import('openid-client');
    try {
      const tokens = await authorizationCodeGrant(
        await this.#discover(),
        new URL(this.#adminUrl + CALLBACK_PATH + query),
        {
          pkceCodeVerifier: request.codeVerifier,
          expectedState: state,
          expectedNonce: request.nonce,
          idTokenExpected: true,
          ...(request.isConfirmation && { maxAge: MAX_CONFIRMATION_AGE }),
        },
      );
      const { iss: issuer, sub: subject } = tokens.claims()!;
      return { request, identity: { issuer, subject } };
    } catch (error) {
      this.#log.warn(describeError(error), 'the identity provider signed nobody in');
      return undefined;
    }
  }
}
