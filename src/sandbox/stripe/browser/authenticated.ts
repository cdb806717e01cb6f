/**
 * Notifies the embedding page that the cardholder has responded. The embedding page then fetches
 * the result from the server.
 */
export {};

window.parent.postMessage({ fake: 'authenticated' }, '*');
