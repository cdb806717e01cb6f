const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * An address as it is joined with paths: in its normal form, without a slash at its end.
 * @param text one that {@link isServiceUrl} allows.
 */
export function serviceBase(text: string): string {
  return new URL(text).href.replace(/\/$/, '');
}

/** Whether a path, put behind an address, stays below it: keys go nowhere else. */
export function isPathOf(base: string, path: string): boolean {
  return (
    path.startsWith('/') &&
    URL.canParse(base + path) &&
    `${new URL(base + path).href}/`.startsWith(`${base}/`)
  );
}

/**
 * Whether keys and gifts may be sent to an address: HTTPS, or plain HTTP on this very machine; no
 * name or password, query or fragment in it.
 */
export function isServiceUrl(text: string): boolean {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  return (
    (protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname))) &&
    !username &&
    !password
  );
}
