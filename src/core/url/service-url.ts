const loopbackPattern = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Normalizes a base URL and removes its trailing slash.
 * @param text a URL that {@link isServiceUrl} accepts.
 */
export function normalizeServiceUrl(text: string): string {
  return new URL(text).href.replace(/\/$/, '');
}

/**
 * Returns true if a URL that consists of a base URL and a path remains below the base URL. API keys
 * must not be sent anywhere else.
 */
export function isPathWithin(base: string, path: string): boolean {
  return (
    path.startsWith('/') &&
    URL.canParse(base + path) &&
    `${new URL(base + path).href}/`.startsWith(`${base}/`)
  );
}

/**
 * Returns true if it is safe to send API keys and donations to a URL: HTTPS, or HTTP on localhost,
 * without credentials, query, or fragment.
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
