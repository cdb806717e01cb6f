import { expect, fixture, html } from '@open-wc/testing';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import type { AddressFormat, CountryList } from '../../src/core/schemas/address-format.ts';
import type { FormDefinition, PaymentOffer } from '../../src/core/schemas/form-definition.ts';
import type { IgnoredSettings } from '../../src/core/schemas/ignored-settings.ts';
import type { Outcome } from '../../src/core/schemas/donation-outcome.ts';
import type { PageSettings } from '../../src/donation-form/index.ts';
import '../../src/donation-form/form/define.ts';
import type { DonationFormElement } from '../../src/donation-form/form/donation-form.ts';
import { exampleForm } from '../example-form.ts';
import { HeldTimers } from './held-timers.ts';

type Answer = Response | Promise<Response> | 'no answer';

/** What the endpoint says of countries, as far as tests need it. */
const COUNTRIES: Readonly<Record<string, object>> = {
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
 * A stand-in for the endpoint and for the card frame, where a test is about the element alone:
 * end-to-end tests have the real ones.
 * Each donation is answered by the next of `answers`.
 */
export class Stage {
  definition: FormDefinition = exampleForm;
  etag = '"1"';
  readonly answers: (Answer | ((request: DonationRequest) => Answer))[] = [];
  /** What `GET /donations` answers. */
  outcome: () => Answer = () => problem(404, 'donation-not-found');
  readonly posted: { key: string; request: DonationRequest; proof: string | null }[] = [];
  /** What `GET /challenge` answers. */
  challenge: (search: string) => Response | Promise<Response> = () =>
    new Response(null, { status: 204 });
  /** What `POST /donations/confirm` and `POST /donations/cancel` answer. */
  settle: (how: string) => Answer = () => problem(404, 'donation-not-found');
  readonly settled: { how: string; key: string; body: string; type: string | null }[] = [];
  isDown = false;
  /** The languages that the form was asked for in. */
  readonly languages: string[] = [];
  /** What the card frame makes of the card. */
  card: object = { type: 'token', token: 'tok_1' };
  /** What the card frame was told to offer. */
  offered: readonly string[] | undefined;
  #timers: HeldTimers | undefined;
  readonly #fetch = window.fetch.bind(window);

  constructor() {
    sessionStorage.clear();
    delete window.ServiceDonorsForms;
    window.fetch = async (input, init) => {
      const request = new Request(input, init);
      const url = new URL(request.url);
      if (url.hostname !== 'give.test') return this.#fetch(request);
      if (this.isDown) throw new TypeError('Failed to fetch');
      if (url.pathname === '/form') {
        this.languages.push(url.searchParams.get('language') ?? '');
        return Response.json(this.definition, { headers: { ETag: this.etag } });
      }
      const country = COUNTRIES[url.pathname];
      if (country) return Response.json(country);
      if (url.pathname === '/ignored-settings') {
        this.reported.push((await request.json()) as IgnoredSettings);
        return new Response(null, { status: 204 });
      }
      if (url.pathname === '/challenge') return this.challenge(url.search);
      const key = request.headers.get('Idempotency-Key') ?? '';
      let answer: Answer;
      const how = /^\/donations\/(\w+)$/.exec(url.pathname)?.[1];
      if (request.method === 'GET') {
        answer = this.outcome();
      } else if (how) {
        this.settled.push({
          how,
          key,
          body: await request.text(),
          type: request.headers.get('Content-Type'),
        });
        answer = this.settle(how);
      } else {
        const body = (await request.json()) as DonationRequest;
        this.posted.push({ key, request: body, proof: request.headers.get('Challenge-Solution') });
        const next = this.answers.shift() ?? succeeded;
        answer = typeof next === 'function' ? next(body) : next;
      }
      if (answer === 'no answer') throw new TypeError('Failed to fetch');
      return answer;
    };
  }

  /** Where the form is put, where that is not the page. */
  place: ParentNode | undefined;
  /** The page's address as the form left it that was shown last. */
  address = '';
  /** What was reported as ignored. */
  readonly reported: IgnoredSettings[] = [];

  /** Shows a form, with this query in the page's address while it loads. */
  async show(
    search = '',
    attributes: Readonly<Record<string, string>> = {},
    restoresAddress = true,
  ): Promise<DonationFormElement> {
    const before = location.href;
    if (search) history.replaceState(null, '', location.origin + location.pathname + search);
    const frame = new URL('/test/element/card-frame.html', location.href);
    const [first, ...others] = this.definition.payments;
    const framed = (payment: PaymentOffer): PaymentOffer =>
      payment.provider === 'sandbox'
        ? { ...payment, options: { ...payment.options, frame: frame.href, publicKey: 'pk' } }
        : payment;
    this.definition = { ...this.definition, payments: [framed(first), ...others.map(framed)] };
    window.addEventListener('message', this.#answerFrame);
    const place = this.place ?? (await fixture<HTMLElement>(html`<div></div>`));
    const form = document.createElement('donation-form');
    const fallback = document.createElement('a');
    fallback.href = 'https://example.org/give';
    form.append(fallback);
    for (const [name, value] of Object.entries({ endpoint: 'https://give.test/', ...attributes }))
      form.setAttribute(name, value);
    const loaded = new Promise((resolve) => {
      form.addEventListener('donation-form-load', resolve, { once: true });
    });
    place.append(form);
    await loaded;
    this.address = location.href;
    // WebKit allows 100 changes of the address in 10 seconds, so none is made in vain.
    if (restoresAddress && location.href !== before) history.replaceState(null, '', before);
    await form.updateComplete;
    return form;
  }

  /** The frame of the tests forwards what it is asked, and says what the test wants it to. */
  readonly #answerFrame = ({
    data,
    source,
  }: MessageEvent<{ asked?: string; id?: string; opened?: { methods?: string[] } }>): void => {
    if (data.opened) this.offered = data.opened.methods;
    if (data.asked === 'tokenize')
      source?.postMessage({ say: { ...this.card, id: data.id } }, { targetOrigin: '*' });
  };

  /** Holds back timers of a second and longer until the test runs them. */
  holdTimers(): HeldTimers {
    this.#timers = new HeldTimers();
    return this.#timers;
  }

  end(): void {
    this.#timers?.restore();
    window.fetch = this.#fetch;
    window.removeEventListener('message', this.#answerFrame);
  }
}

export const problem = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Response =>
  Response.json(
    { type: 'about:blank', title: code, status, code, detail: 'what was found', requestId: 'r' },
    { status, headers },
  );

export const outcomeOf = (
  { gift: { amount, costs, total, currency, frequency }, payment: { provider } }: DonationRequest,
  state: Outcome['state'],
  reason?: Outcome['reason'],
  more?: Partial<Outcome>,
): Response => {
  const outcome: Outcome = {
    reference: '7K4M9-QXD2P',
    provider,
    state,
    gift: { amount, costs, total, currency, frequency },
    ...(reason && { reason }),
    ...more,
    ...(state === 'succeeded' && {
      response: {
        success: true,
        message: null,
        transactionId: 'ch_1',
        amount: total / 100,
        giftId: 7,
        projectSplit: [{ projectId: '2', projectName: 'Village wells', amount: '50.00' }],
      },
    }),
  };
  return Response.json(outcome, {
    status: { succeeded: 200, pending: 202, action: 202, checking: 202, declined: 402 }[state],
  });
};
export const succeeded = (request: DonationRequest): Response => outcomeOf(request, 'succeeded');

export const inside = (form: DonationFormElement, selector: string): HTMLInputElement => {
  const found = form.shadowRoot!.querySelector<HTMLInputElement>(selector);
  if (!found) throw new Error(`nothing matches ${selector}`);
  return found;
};
export const button = (form: DonationFormElement): HTMLElement =>
  inside(form, 'button[type=submit]');
export const words = (form: DonationFormElement, selector: string): string =>
  inside(form, selector).textContent.trim().replace(/\s+/g, ' ');

export function type(form: DonationFormElement, name: string, value: string): void {
  const input = inside(form, `[name=${name}]`);
  input.value = value;
  input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
}

export function fill(form: DonationFormElement): void {
  type(form, 'firstName', 'Ana');
  type(form, 'lastName', 'Souza');
  type(form, 'email', 'ana@example.org');
}

/** Waits until a condition holds, nearly as long as a test may take. */
export async function waitUntil(condition: () => unknown): Promise<void> {
  for (const end = Date.now() + 9_000; Date.now() < end;) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`Timeout: ${condition.toString()}`);
}

const isAtRest = (form: DonationFormElement): boolean =>
  !form.shadowRoot!.querySelector('[aria-disabled=true]');

/** Chooses a country as soon as the form offers it, and waits for the fields that it has. */
export async function chooseCountry(form: DonationFormElement, code: string): Promise<void> {
  await waitUntil(() => form.shadowRoot!.querySelector(`[name=country] option[value=${code}]`));
  type(form, 'country', code);
  await waitUntil(() => form.shadowRoot!.querySelector('[name=postal]'));
}

/** Presses the button and waits until the form is at rest again. */
export async function press(form: DonationFormElement): Promise<void> {
  await form.updateComplete;
  button(form).click();
  await form.updateComplete;
  // What the form does when it is at rest, such as to move the focus, takes one more task.
  await new Promise((resolve) => setTimeout(resolve));
  await waitUntil(() => isAtRest(form));
}

/** Gives the form time to do something by itself, and waits until it is at rest. */
export async function rest(form: DonationFormElement): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 40));
  await form.updateComplete;
  await waitUntil(() => isAtRest(form));
}

/**
 * Checks an element with axe's usual rules. It stays out of frames: axe would wait half a second
 * for an answer of each that has none.
 */
export async function accessible(element: Element): Promise<void> {
  const { default: axe } = await import('axe-core');
  const { violations } = await axe.run(element, {
    iframes: false,
    resultTypes: ['violations'],
  });
  expect(
    violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`)),
  ).to.deep.equal([]);
}

/** Puts settings where the page's author would. */
export const pageSettings = (settings: PageSettings): void => {
  window.ServiceDonorsForms = { settings };
};
/** The value of the radio that is chosen. */
export const checked = (form: DonationFormElement, name: string): string | undefined =>
  form.shadowRoot!.querySelector<HTMLInputElement>(`[name=${name}]:checked`)?.value;
export const value = (form: DonationFormElement, name: string): string =>
  inside(form, `[name=${name}]`).value;
export const focused = (form: DonationFormElement): string | undefined =>
  form.shadowRoot!.activeElement?.id;

/** Waits for what the form fetches while it is filled in. */
export async function ready(form: DonationFormElement): Promise<void> {
  await waitUntil(() => form.querySelector('[slot=payment]'));
}
