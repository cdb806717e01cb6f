import type { DonationOutcome } from '../../src/core/schemas/donation-outcome.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { exampleForm } from './forms.ts';
import { StubPaymentProvider } from './stub-payment-provider.ts';
import { waitUntil, getText, TestPage } from './support.ts';

export const STORAGE_KEY = 'donation-form https://give.test/main 1';
const gift = {
  amount: 5_000,
  coveredFees: 0,
  total: 5_000,
  currency: 'USD',
  frequency: 'monthly',
} as const;
export const createActionRequiredResponse = (overrides: Partial<DonationOutcome> = {}): Response =>
  Response.json(
    {
      reference: '7K4M9-QXD2P',
      provider: 'own',
      status: 'requires_action',
      gift,
      ...overrides,
    } satisfies DonationOutcome,
    { status: 202 },
  );
export const createSuccessResponse = (): Response =>
  Response.json({
    reference: '7K4M9-QXD2P',
    provider: 'own',
    status: 'succeeded',
    gift,
    response: { success: true, message: null, transactionId: 'ch_1', amount: 50, projectSplit: [] },
  } satisfies DonationOutcome);
export const createFailureResponse = (): Response =>
  Response.json(
    {
      reference: '7K4M9-QXD2P',
      provider: 'own',
      status: 'failed',
      reason: 'not-confirmed',
      gift,
    } satisfies DonationOutcome,
    { status: 402 },
  );
export const fieldAction = { action: { kind: 'field', secret: 'pi_secret' } } as const;
/** Redirects to a fragment, so that the test page stays loaded. */
export const createRedirectAction = (): DonationOutcome['action'] => ({
  kind: 'redirect',
  url: `${location.href.split('#')[0]}#bank`,
});
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

export const originalUrl = location.href;

/** Opens a page whose form has the stub payment provider. */
export function openStubProviderPage(): { testPage: TestPage; provider: StubPaymentProvider } {
  const testPage = new TestPage();
  testPage.definition = stubProviderForm;
  return { testPage, provider: new StubPaymentProvider('own') };
}

/** Restores what a test has changed in the browser, including the URL. */
export function restorePage(testPage: TestPage): void {
  testPage.restore();
  history.replaceState(null, '', originalUrl);
}

/** Shows the form of a donor who returns with a required action. */
export async function returnToPage(
  testPage: TestPage,
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
