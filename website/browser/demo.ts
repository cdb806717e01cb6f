/**
 * Script of the home page: responds to the demo form's requests with what the real server sent when
 * the site was built, and shows the form that the visitor configures.
 */
import { registerPaymentProvider } from 'donation-form/payment';
import { mountDemoCard } from './demo-card.ts';
import { answerRequest } from './demo-endpoint.ts';
import { followSwitches } from './switches.ts';

const ENDPOINT = 'https://give.example.org/';

const originalFetch = globalThis.fetch.bind(globalThis);
globalThis.fetch = async (input, init) => {
  const request = new Request(input, init);
  return request.url.startsWith(ENDPOINT) ? answerRequest(request) : originalFetch(input, init);
};
registerPaymentProvider('stripe', async () => ({ mount: mountDemoCard }));
followSwitches(document.querySelector('.welcome')!);
