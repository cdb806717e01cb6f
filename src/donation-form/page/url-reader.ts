/** Entry point of the chunk that reads URL parameters, loaded only if the page has a query. */
export { readUrlAndLanding } from '@donation-form/core/settings';
