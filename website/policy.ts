/**
 * The Content-Security-Policy of every page. Scripts and styles come from the site's own files only;
 * the demo form creates its templates with the Trusted Types policy of Lit.
 */
export const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
].join('; ');
