import '../../src/donation-form/form/define.ts';
import { aTimeout, expect, fixture, html, oneEvent } from '@open-wc/testing';
import { PaymentMethodType } from '../../src/core/donation/payment-method-type.ts';
import type { AddressFormat, CountryList } from '../../src/core/schemas/address-format.ts';
import type { DonationOutcome } from '../../src/core/schemas/donation-outcome.ts';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { SettingsReport } from '../../src/core/schemas/settings-report.ts';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import type { DonationFormEventMap, PageSettings } from '../../src/donation-form/index.ts';
import { exampleForm } from './forms.ts';
import { ManualTimers } from './manual-timers.ts';
import { StubPaymentProvider } from './stub-payment-provider.ts';

type MockResponse = Response | Promise<Response> | 'network error';

const COUNTRY_RESPONSES: Readonly<Record<string, object>> = {
  '/countries': [
    { code: 'DE', alpha3: 'DEU' },
    { code: 'JP', alpha3: 'JPN' },
    { code: 'US', alpha3: 'USA' },
  ] satisfies CountryList,
  '/countries/DE': {
    lines: [['address1'], ['address2'], ['postal', 'city']],
    required: ['address1', 'city', 'postal'],
    labels: { city: 'city', state: 'province', postal: 'postal' },
    postal: { pattern: '\\d{5}', example: '26133' },
  } satisfies AddressFormat,
  '/countries/US': {
    lines: [['address1'], ['address2'], ['city', 'state', 'postal']],
    required: ['address1', 'city', 'state', 'postal'],
    labels: { city: 'city', state: 'state', postal: 'zip' },
    states: [
      { code: 'CA', name: 'California' },
      { code: 'NY', name: 'New York' },
    ],
    postal: { pattern: '(\\d{5})(?:[ \\-](\\d{4}))?', example: '95014' },
  } satisfies AddressFormat,
};

/**
 * A page with stubs of the endpoint and the payment provider; end-to-end tests use the real ones.
 * Each donation gets the next of the `responses`, or a success.
 */
export class TestPage {
  definition: FormDefinition = exampleForm;
  etag = '"1"';
  readonly responses: (MockResponse | ((request: DonationRequest) => MockResponse))[] = [];
  /** Response of `GET /donations`. */
  createOutcomeResponse: () => MockResponse = () => createProblem(404, 'donation-not-found');
  readonly postedDonations: { key: string; request: DonationRequest; proof: string | null }[] = [];
  /** Response of `GET /challenge`. */
  createChallengeResponse: (search: string) => Response | Promise<Response> = () =>
    new Response(null, { status: 204 });
  /** Response of `POST /donations/confirm` and `POST /donations/cancel`. */
  createActionResponse: (step: string) => MockResponse = () =>
    createProblem(404, 'donation-not-found');
  readonly actionRequests: {
    step: string;
    key: string;
    body: string;
    contentType: string | null;
  }[] = [];
  isOffline = false;
  /** Languages of the definition requests. */
  readonly requestedLanguages: string[] = [];
  /** Languages of the requests for a goal. */
  readonly requestedGoalLanguages: string[] = [];
  readonly paymentProvider = new StubPaymentProvider('stub', {
    token: 'tok_1',
    method: PaymentMethodType.CreditCard,
  });
  #timers: ManualTimers | undefined;
  readonly #fetch = window.fetch.bind(window);
  readonly #url = location.href;
  readonly #listening = new AbortController();

  constructor() {
    sessionStorage.clear();
    localStorage.removeItem('donation-form-announced');
    delete window.ServiceDonorsForms;
    window.fetch = async (input, init) => {
      const request = new Request(input, init);
      const url = new URL(request.url);
      if (url.hostname !== 'give.test') return this.#fetch(request);
      if (this.isOffline) throw new TypeError('Failed to fetch');
      if (url.pathname === '/form') {
        this.requestedLanguages.push(url.searchParams.get('language') ?? '');
        return Response.json(this.definition, { headers: { ETag: this.etag } });
      }
      if (url.pathname === '/goal') {
        this.requestedGoalLanguages.push(url.searchParams.get('language') ?? '');
        return Response.json({
          name: 'Roof',
          currency: 'EUR',
          decimals: 2,
          target: 100,
          raised: 1,
          asOf: '2026-01-01T00:00:00Z',
        });
      }
      const country = COUNTRY_RESPONSES[url.pathname];
      if (country) return Response.json(country);
      if (url.pathname === '/settings-report') {
        this.settingsReports.push((await request.json()) as SettingsReport);
        return new Response(null, { status: 204 });
      }
      if (url.pathname === '/challenge') return this.createChallengeResponse(url.search);
      const key = request.headers.get('Idempotency-Key') ?? '';
      let mockResponse: MockResponse;
      const step = /^\/donations\/(\w+)$/.exec(url.pathname)?.[1];
      if (request.method === 'GET') {
        mockResponse = this.createOutcomeResponse();
      } else if (step) {
        this.actionRequests.push({
          step,
          key,
          body: await request.text(),
          contentType: request.headers.get('Content-Type'),
        });
        mockResponse = this.createActionResponse(step);
      } else {
        const body = (await request.json()) as DonationRequest;
        this.postedDonations.push({
          key,
          request: body,
          proof: request.headers.get('Challenge-Solution'),
        });
        const next = this.responses.shift() ?? createSuccess;
        mockResponse = typeof next === 'function' ? next(body) : next;
      }
      if (mockResponse === 'network error') throw new TypeError('Failed to fetch');
      return mockResponse;
    };
  }

  /** Parent of the form; a new element by default. */
  container: ParentNode | undefined;
  /** URL of the page after the last form loaded. */
  urlAfterLoad = '';
  readonly settingsReports: SettingsReport[] = [];

  /** Shows a form. The page's URL has the query string while the form loads. */
  async showForm(
    search = '',
    attributes: Readonly<Record<string, string>> = {},
    restoresUrl = true,
  ): Promise<DonationFormElement> {
    const previousUrl = location.href;
    if (search) history.replaceState(null, '', location.origin + location.pathname + search);
    const container = this.container ?? (await fixture<HTMLElement>(html`<div></div>`));
    const form = document.createElement('donation-form');
    const fallback = document.createElement('a');
    fallback.href = 'https://example.org/give';
    form.append(fallback);
    for (const [name, attributeValue] of Object.entries({
      endpoint: 'https://give.test/',
      ...attributes,
    }))
      form.setAttribute(name, attributeValue);
    const loaded = oneEvent(form, 'donation-form-load');
    container.append(form);
    await loaded;
    this.urlAfterLoad = location.href;
    // WebKit allows 100 URL changes in 10 seconds.
    if (restoresUrl && location.href !== previousUrl) history.replaceState(null, '', previousUrl);
    await form.updateComplete;
    return form;
  }

  /** Shows a form with the donor's name and email. */
  async showFilledForm(...args: Parameters<TestPage['showForm']>): Promise<DonationFormElement> {
    const form = await this.showForm(...args);
    fillDonor(form);
    return form;
  }

  /** Responds to the next donation with an outcome. */
  queueOutcome(
    status: DonationOutcome['status'],
    reason?: DonationOutcome['reason'],
    overrides?: Partial<DonationOutcome>,
  ): void {
    this.responses.push((request) => createOutcome(request, status, reason, overrides));
  }

  get requests(): DonationRequest[] {
    return this.postedDonations.map(({ request }) => request);
  }

  /** Number of different idempotency keys of the posted donations. */
  get keyCount(): number {
    return new Set(this.postedDonations.map(({ key }) => key)).size;
  }

  /** Records the events of these types that reach the document during the test. */
  recordEvents<Type extends keyof DonationFormEventMap>(
    ...types: readonly Type[]
  ): DonationFormEventMap[Type][] {
    const events: DonationFormEventMap[Type][] = [];
    const { signal } = this.#listening;
    for (const type of types)
      document.addEventListener(type, (event) => events.push(event), { signal });
    return events;
  }

  /** Delays timers of at least one second until the test runs them. */
  holdTimers(): ManualTimers {
    this.#timers = new ManualTimers();
    return this.#timers;
  }

  /** Makes the device go offline or online, for the form's requests and for `navigator.onLine`. */
  setOffline(isOffline: boolean): void {
    this.isOffline = isOffline;
    Object.defineProperty(navigator, 'onLine', { value: !isOffline, configurable: true });
    window.dispatchEvent(new Event(isOffline ? 'offline' : 'online'));
  }

  restore(): void {
    Reflect.deleteProperty(navigator, 'onLine');
    this.#timers?.restoreTimers();
    this.#listening.abort();
    window.fetch = this.#fetch;
    if (location.href !== this.#url) history.replaceState(null, '', this.#url);
  }
}

/** The page of the current test. */
export let testPage: TestPage;
beforeEach(() => {
  testPage = new TestPage();
});
afterEach(() => testPage.restore());

export const createProblem = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  Response.json(
    { type: 'about:blank', title: code, status, code, detail: 'what was found', requestId: 'r' },
    { status, headers },
  );

export const createOutcome = (
  {
    gift: { amount, coveredFees, total, currency, frequency },
    payment: { provider },
  }: DonationRequest,
  status: DonationOutcome['status'],
  reason?: DonationOutcome['reason'],
  overrides?: Partial<DonationOutcome>,
): Response => {
  const outcome: DonationOutcome = {
    reference: '7K4M9-QXD2P',
    provider,
    status,
    gift: { amount, coveredFees, total, currency, frequency },
    ...(reason && { reason }),
    ...((status === 'succeeded' || overrides?.awaiting === 'bank') && {
      response: {
        success: true,
        message: null,
        transactionId: 'ch_1',
        amount: total / 100,
        giftId: 7,
        projectSplit: [{ projectId: '2', projectName: 'Village wells', amount: '50.00' }],
      },
    }),
    ...overrides,
  };
  return Response.json(outcome, {
    status: {
      succeeded: 200,
      processing: 202,
      requires_action: 202,
      unconfirmed: 202,
      failed: 402,
    }[status],
  });
};
export const createSuccess = (request: DonationRequest): Response =>
  createOutcome(request, 'succeeded');

export const findElement = (form: DonationFormElement, selector: string): HTMLInputElement => {
  const found = form.shadowRoot!.querySelector<HTMLInputElement>(selector);
  if (!found) throw new Error(`No element matches ${selector}.`);
  return found;
};
export const getSubmitButton = (form: DonationFormElement): HTMLElement =>
  findElement(form, 'button[type=submit]');
export const getText = (form: DonationFormElement, selector: string): string =>
  findElement(form, selector).textContent.trim().replace(/\s+/g, ' ');
export const getButtonText = (form: DonationFormElement): string =>
  getText(form, 'button[type=submit]');

const setValue = (input: HTMLInputElement, value: string): void => {
  input.value = value;
  input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
};
export const enterText = (form: DonationFormElement, name: string, text: string): void =>
  setValue(findElement(form, `[name=${name}]`), text);

export async function selectOption(
  form: DonationFormElement,
  selector: string,
  value: string,
): Promise<void> {
  setValue(findElement(form, selector), value);
  await form.updateComplete;
}

/** Clicks the controls one after another. */
export async function clickControls(
  form: DonationFormElement,
  ...selectors: readonly string[]
): Promise<void> {
  for (const selector of selectors) {
    findElement(form, selector).click();
    await form.updateComplete;
  }
}

export function fillDonor(form: DonationFormElement): void {
  enterText(form, 'firstName', 'Ana');
  enterText(form, 'lastName', 'Souza');
  enterText(form, 'email', 'ana@example.org');
}

/**
 * Waits until the page has been notified of the donations that just ended, which happens shortly
 * after they are shown, so that the next test is not notified of them.
 */
export async function waitForAnnouncements(): Promise<void> {
  await aTimeout(20);
  await navigator.locks.request('donation-form-announced', () => undefined);
}

/** Waits until a condition is true, for at most 9 seconds. */
export async function waitUntil(condition: () => unknown): Promise<void> {
  for (const deadline = Date.now() + 9_000; Date.now() < deadline;) {
    if (condition()) return;
    await aTimeout(5);
  }
  throw new Error(`Timeout: ${condition.toString()}`);
}

const isIdle = (form: DonationFormElement): boolean =>
  !form.shadowRoot!.querySelector('button .spinner');

/** Selects a country once the form lists it, and waits for its address fields. */
export async function selectCountry(form: DonationFormElement, code: string): Promise<void> {
  await waitUntil(() => form.shadowRoot!.querySelector(`[name=country] option[value=${code}]`));
  enterText(form, 'country', code);
  await waitUntil(() => form.shadowRoot!.querySelector('[name=postal]'));
}

/** Presses the button without waiting for the outcome. */
export async function pressSubmit(form: DonationFormElement): Promise<void> {
  await form.updateComplete;
  getSubmitButton(form).click();
}

/** Submits the form and waits until it is idle again. */
export async function submitForm(form: DonationFormElement): Promise<void> {
  await pressSubmit(form);
  await form.updateComplete;
  // The form moves the focus in another task.
  await aTimeout(0);
  await waitUntil(() => isIdle(form));
}

/** Gives the form time for background work and waits until it is idle. */
export async function waitUntilIdle(form: DonationFormElement): Promise<void> {
  await aTimeout(40);
  await form.updateComplete;
  await waitUntil(() => isIdle(form));
}

/** Checks an element with axe's default rules. It has no frames. */
export async function expectAccessible(element: Element): Promise<void> {
  const { default: axe } = await import('axe-core');
  const { violations } = await axe.run(element, {
    iframes: false,
    resultTypes: ['violations'],
  });
  expect(
    violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`)),
  ).to.deep.equal([]);
}

export const setPageSettings = (settings: PageSettings): void => {
  window.ServiceDonorsForms = { settings };
};
export const getCheckedValue = (form: DonationFormElement, name: string): string | undefined =>
  form.shadowRoot!.querySelector<HTMLInputElement>(`[name=${name}]:checked`)?.value;
export const getValue = (form: DonationFormElement, name: string): string =>
  findElement(form, `[name=${name}]`).value;
export const getFocusedId = (form: DonationFormElement): string | undefined =>
  form.shadowRoot!.activeElement?.id;

export async function waitForPaymentField(form: DonationFormElement): Promise<void> {
  await waitUntil(() => form.querySelector('[slot=payment]'));
}
