import type { ApiRequest, ApiResponse } from './specification.ts';

/**
 * The call that returns an access token. The OpenAPI files lack it; these checks follow
 * developer.paypal.com/api/rest/authentication and RFC 6749, sections 4.4 and 5.
 */
export const AUTHENTICATION_OPERATION = 'POST /v1/oauth2/token';

/** Returns the errors of a request for an access token. */
export function checkTokenRequest({ headers, body }: ApiRequest): string[] {
  const errors: string[] = [];
  const [scheme, credentials = ''] = (headers.get('Authorization') ?? '').split(' ');
  if (scheme !== 'Basic' || !/^[^:]+:.+$/.test(atob(credentials)))
    errors.push('header Authorization must be Basic with the client ID and secret');
  const type = headers.get('Content-Type') ?? 'missing';
  if (!type.startsWith('application/x-www-form-urlencoded'))
    errors.push(`request Content-Type is ${type}; expected application/x-www-form-urlencoded`);
  const grantType = new URLSearchParams(body).get('grant_type');
  if (grantType !== 'client_credentials')
    errors.push(`request body/grant_type is ${grantType}; expected client_credentials`);
  return errors;
}

/** Returns the errors of a response with an access token, or of an OAuth error. */
export function checkTokenResponse({ status, body }: ApiResponse): string[] {
  const fields = JSON.parse(body) as Readonly<Record<string, unknown>>;
  const expected: Readonly<Record<string, string>> =
    status === 200
      ? {
          scope: 'string',
          access_token: 'string',
          token_type: 'string',
          app_id: 'string',
          expires_in: 'number',
          nonce: 'string',
        }
      : { error: 'string', error_description: 'string' };
  // Errors before the credentials are checked, such as 429 and 500, have the shape of other calls.
  if (status !== 200 && status !== 400 && status !== 401)
    return typeof fields.name === 'string' ? [] : ['response body/name is missing'];
  return Object.entries(expected).flatMap(([name, type]) =>
    typeof fields[name] === type ? [] : [`response body/${name} must be a ${type}`],
  );
}
