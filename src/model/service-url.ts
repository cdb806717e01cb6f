const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether keys and gifts may be sent to an address: HTTPS, or plain HTTP on this very machine; no name or password, query or fragment in it. */
export function isServiceUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  return (protocol === 'https:' || (protocol === 'http:' && loopback.test(hostname))) && !username && !password && !search && !hash;
}
