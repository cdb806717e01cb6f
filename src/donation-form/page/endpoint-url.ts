/** Resolves an endpoint URL, and adds a trailing slash. Does not resolve an invalid URL. */
export function resolveEndpointUrl(endpoint = '/'): string {
  let url = endpoint;
  try {
    url = new URL(endpoint, document.baseURI).href;
  } catch {
    // A request will fail and report the URL.
  }
  return url.replace(/\/?$/, '/');
}
