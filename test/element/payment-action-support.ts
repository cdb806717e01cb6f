import type { DonationOutcome } from '../../src/core/schemas/donation-outcome.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { exampleForm } from './forms.ts';
import { StubPaymentProvider } from './stub-payment-provider.ts';
import { getText, testPage, waitUntil } from './support.ts';

export const STORAGE_KEY = 'donation-form https://give.test/main 1';
const gift = {
  amount: 5_000,
  coveredFees: 0,
  total: 5_000,
  currency: 'USD',
  frequency: 'monthly',
} as const;
const createResponse = (status: number, outcome: Partial<DonationOutcome>): Response =>
  Response.json({ reference: '7K4M9-QXD2P', provider: 'own', gift, ...outcome }, { status });
export const createActionRequiredResponse = (overrides: Partial<DonationOutcome> = {}): Response =>
  createResponse(202, { status: 'requires_action', ...overrides });
export const createSuccessResponse = (): Response =>
  createResponse(200, {
    status: 'succeeded',
    response: { success: true, message: null, transactionId: 'ch_1', amount: 50, projectSplit: [] },
  });
export const createFailureResponse = (): Response =>
  createResponse(402, { status: 'failed', reason: 'not-confirmed' });
export const fieldAction = { action: { kind: 'field', secret: 'pi_secret' } } as const;
/** Redirects to a fragment, so that the test page stays loaded. */
export const createRedirectAction = (): DonationOutcome['action'] => ({
  kind: 'redirect',
  url: `${location.href.split('#')[0]}#bank`,
});
export const createRedirectResponse = (): Response =>
  createActionRequiredResponse({ action: createRedirectAction()! });
export const waitForHash = (hash: string): Promise<void> => waitUntil(() => location.hash === hash);

export const getStepButtons = (form: DonationFormElement): HTMLButtonElement[] => [
  ...form.shadowRoot!.querySelectorAll<HTMLButtonElement>('.steps button'),
];
export const getHeading = (form: DonationFormElement): string => getText(form, 'h2');
export const waitForHeading = (form: DonationFormElement, title: string): Promise<void> =>
  waitUntil(() => form.shadowRoot!.querySelector('h2')?.textContent === title);

/** A form with the stub payment provider. */
const stubProviderForm: FormDefinition = {
  ...exampleForm,
  payments: [
    {
      provider: 'own',
      methods: [0],
      hasField: true,
      hasHostedCheckout: true,
      hasCustomerPortal: false,
      options: {},
    },
  ],
};

/** Shows forms with the stub payment provider. */
export function addStubProvider(): StubPaymentProvider {
  testPage.definition = stubProviderForm;
  return new StubPaymentProvider('own');
}

/** Shows the form of a donor who returns with a required action. */
export async function returnToPage(
  search = '',
  definition = testPage.definition,
): Promise<DonationFormElement> {
  sessionStorage.setItem(STORAGE_KEY, 'a-key-of-an-earlier-page');
  testPage.definition = definition;
  testPage.createOutcomeResponse = () => createActionRequiredResponse();
  const form = await testPage.showForm(search);
  await form.updateComplete;
  return form;
}
