const loopbackPattern = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Normalizes a base URL and removes its trailing slash.
 * @param text URL that {@link isServiceUrl} accepts.
 */
export function normalizeServiceUrl(text: string): string {
  return new URL(text).href.replace(/\/$/, '');
}

/**
 * Returns true if a base URL followed by a path leads to a URL under the base URL. Clients must not
 * send API keys anywhere else.
 */
export function isPathWithin(base: string, path: string): boolean {
  return (
    path.startsWith('/') &&
    URL.canParse(base + path) &&
    `${new URL(base + path).href}/`.startsWith(`${base}/`)
  );
}

/**
 * Returns true if the server can safely send API keys and donations to a URL. The URL must use
 * HTTPS, or HTTP on localhost, and must not contain credentials, a query, or a fragment.
 */
export function isServiceUrl(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return (
    (protocol === 'https:' || (protocol === 'http:' && loopbackPattern.test(hostname))) &&
    !username &&
    !password
  );
}
