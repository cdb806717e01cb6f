import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

/**
 * Tells browsers, with every answer that does not say otherwise itself, that it is nothing to run,
 * to frame or to embed elsewhere.
 * `Strict-Transport-Security` is not among it: it speaks for a whole host, so whoever ends TLS for
 * that host says it.
 */
export function securityHeaders(): MiddlewareHandler {
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
