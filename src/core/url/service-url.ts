const loopbackPattern = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

export function normalizeServiceUrl(text: string): string {
  return new URL(text).href.replace(/\/$/, '');
}

/** Returns true if a path stays under a base URL. Clients must not send API keys elsewhere. */
export function isPathWithin(base: string, path: string): boolean {
  return (
    path.startsWith('/') &&
    URL.canParse(base + path) &&
    `${new URL(base + path).href}/`.startsWith(`${base}/`)
  );
}

/** HTTPS, or HTTP on localhost, without credentials, a query, or a fragment. */
export function isServiceUrl(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return (
    (protocol === 'https:' || (protocol === 'http:' && loopbackPattern.test(hostname))) &&
    !username &&
    !password
  );
}
