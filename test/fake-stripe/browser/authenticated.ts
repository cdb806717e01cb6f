/** Tells the page around that a person has answered; what they answered it asks the server. */
export {};

window.parent.postMessage({ fake: 'authenticated' }, '*');
