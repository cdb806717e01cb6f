/**
 * Notifies the embedding page that the cardholder has answered. The page gets the answer from the
 * server.
 */
export {};

window.parent.postMessage({ fake: 'authenticated' }, '*');
