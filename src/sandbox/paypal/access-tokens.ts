import { randomBytes } from 'node:crypto';

/** Lifetime of an access token, in seconds: nine hours, the same as PayPal's. */
const TOKEN_LIFETIME = 32_400;
const SCOPES = [
  'https://uri.paypal.com/services/payments/payment/authcapture',
  'https://uri.paypal.com/services/payments/refund',
  'https://uri.paypal.com/services/payments/realtimepayment',
  'https://uri.paypal.com/services/subscriptions',
  'https://uri.paypal.com/services/disputes/read-seller',
  'https://uri.paypal.com/services/reporting/search/read',
  'https://uri.paypal.com/services/applications/webhooks',
];

export interface AccessTokensOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly now: () => Date;
}

/**
 * Issues and checks OAuth 2.0 access tokens for client credentials
 * (developer.paypal.com/api/rest/authentication).
 */
export class AccessTokens {
  readonly #options: AccessTokensOptions;
  readonly #expiryTimes = new Map<string, number>();

  constructor(options: AccessTokensOptions) {
    this.#options = options;
  }

  /**
   * Creates the response to a token request.
   * @param authorization value of the `Authorization` header.
   */
  createTokenResponse(authorization: string | undefined, body: string): Response {
    const { clientId, clientSecret, now } = this.#options;
    if (authorization !== `Basic ${btoa(`${clientId}:${clientSecret}`)}`)
      return Response.json(
        { error: 'invalid_client', error_description: 'Client Authentication failed' },
        { status: 401 },
      );
    if (new URLSearchParams(body).get('grant_type') !== 'client_credentials')
      return Response.json(
        {
          error: 'unsupported_grant_type',
          error_description: 'Grant Type is NULL or not supported',
        },
        { status: 400 },
      );
    const token = `A21AA${randomBytes(48).toString('base64url')}`;
    this.#expiryTimes.set(token, now().getTime() + TOKEN_LIFETIME * 1_000);
    return Response.json({
      scope: SCOPES.join(' '),
      access_token: token,
      token_type: 'Bearer',
      app_id: 'APP-80W284485P519543T',
      expires_in: TOKEN_LIFETIME,
      nonce: `${now().toISOString()}${randomBytes(24).toString('base64url')}`,
    });
  }

  /**
   * Returns true if the header contains an issued, unexpired access token.
   * @param authorization value of the `Authorization` header.
   */
  isValidToken(authorization: string | undefined): boolean {
    const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
    const expiryTime = token === undefined ? undefined : this.#expiryTimes.get(token);
    return expiryTime !== undefined && expiryTime > this.#options.now().getTime();
  }

  /** Invalidates all tokens. */
  revokeAllTokens(): void {
    this.#expiryTimes.clear();
  }
}
