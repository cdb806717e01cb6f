/**
 * Notifies the embedding page that the cardholder has responded. The page gets the response from
 * the server.
 */
export {};

window.parent.postMessage({ fake: 'authenticated' }, '*');
