import { execFileSync } from 'node:child_process';

/** Creates a self-signed certificate with its key, in PEM format. */
export function createCertificate(name: string, ...options: string[]): string {
  const words =
    'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout - -subj'.split(' ');
  return execFileSync('openssl', [...words, `/CN=${name}`, ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
  }).toString();
}
