import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

/**
 * Creates middleware that adds response headers that forbid scripts, framing, and cross-origin
 * embedding. Headers that the response already has take precedence. `Strict-Transport-Security`
 * applies to a whole host, so the proxy that terminates TLS must set it.
 */
export function createSecurityHeadersMiddleware(): MiddlewareHandler {
  return secureHeaders({
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    crossOriginResourcePolicy: 'same-origin',
    permissionsPolicy: { camera: [], displayCapture: [], geolocation: [], microphone: [], usb: [] },
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
    strictTransportSecurity: false,
    xDnsPrefetchControl: false,
    xDownloadOptions: false,
    xFrameOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    overwrite: false,
  });
}
