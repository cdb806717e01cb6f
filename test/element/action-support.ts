import type { Outcome } from '../../src/core/schemas/donation-outcome.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { exampleForm } from '../example-form.ts';
import { waitUntil, words, type Stage } from './support.ts';

export const KEY = 'donation-form https://give.test/main 1';
const gift = {
  amount: 5_000,
  costs: 0,
  total: 5_000,
  currency: 'USD',
  frequency: 'monthly',
} as const;
export const waiting = (more: Partial<Outcome> = {}): Response =>
  Response.json(
    { reference: '7K4M9-QXD2P', provider: 'own', state: 'action', gift, ...more } satisfies Outcome,
    { status: 202 },
  );
export const paid = (): Response =>
  Response.json({
    reference: '7K4M9-QXD2P',
    provider: 'own',
    state: 'succeeded',
    gift,
    response: { success: true, message: null, transactionId: 'ch_1', amount: 50, projectSplit: [] },
  } satisfies Outcome);
export const refused = (): Response =>
  Response.json(
    {
      reference: '7K4M9-QXD2P',
      provider: 'own',
      state: 'declined',
      reason: 'not-confirmed',
      gift,
    } satisfies Outcome,
    { status: 402 },
  );
export const field = { action: { kind: 'field', secret: 'pi_secret' } } as const;
/** A page to go to that does not leave the tests'. */
export const bank = (): Outcome['action'] => ({
  kind: 'redirect',
  url: `${location.href.split('#')[0]}#bank`,
});
export const goesTo = (hash: string): Promise<void> => waitUntil(() => location.hash === hash);

export const steps = (form: DonationFormElement): HTMLButtonElement[] => [
  ...form.shadowRoot!.querySelectorAll<HTMLButtonElement>('.steps button'),
];
export const heading = (form: DonationFormElement): string => words(form, 'h2');
export const until = (form: DonationFormElement, title: string): Promise<void> =>
  waitUntil(() => form.shadowRoot!.querySelector('h2')?.textContent === title);

/** A form whose payment provider is the tests' own. */
export const ownForm: FormDefinition = {
  ...exampleForm,
  payments: [
    {
      provider: 'own',
      methods: [0],
      hasHostedCheckout: true,
      hasCustomerPortal: false,
      options: {},
    },
  ],
};

/** Loads a page while a gift waits for its donor. */
export async function comeBack(
  stage: Stage,
  search = '',
  definition = stage.definition,
): Promise<DonationFormElement> {
  sessionStorage.setItem(KEY, 'a-key-of-an-earlier-page');
  stage.definition = definition;
  stage.outcome = () => waiting();
  const form = await stage.show(search);
  await form.updateComplete;
  return form;
}
