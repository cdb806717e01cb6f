import { readFile } from 'node:fs/promises';
import {
  type BrowserContext,
  expect,
  type Locator,
  type Page,
  type Route,
  test as base,
} from 'playwright/test';
import type { Language } from '../../src/core/i18n/languages.ts';
import type { DonationOutcome } from '../../src/core/schemas/donation-outcome.ts';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { createCountryRoutes } from '../../src/server/http/routes/countries.ts';
import { fontFaceCss, fontFiles } from './fonts.ts';

/**
 * A subdomain of the site: headless Chromium sometimes loses a click next to a cross-site frame.
 */
const SITE_ORIGIN = 'https://site.test';
export const STRIPE_ORIGIN = 'https://stripe.site.test';
const countries = createCountryRoutes();

/**
 * Response to `POST /donations`; `network-error` aborts the request, `no-response` leaves it pending.
 */
export type MockResponse =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: object;
    }
  | 'network-error'
  | 'no-response';

/** Returns true once the form's drawings, which load late, are shown. Runs in the page. */
function hasDrawings(): boolean {
  const sheets = document.querySelector('donation-form')?.shadowRoot?.adoptedStyleSheets ?? [];
  return sheets.some(({ cssRules }) =>
    [...cssRules].some(({ cssText }) => cssText.startsWith('.drawing')),
  );
}

/**
 * A page with one form. Serves the built script, the endpoint's responses, and the emulated Stripe.js
 * without a network.
 */
export class Stage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly form: Locator;
  readonly language: Language;
  definition: FormDefinition;
  /** Behavior of `GET /form`. */
  formResponse: 'definition' | 'no-response' | 'unavailable' = 'definition';
  /** Response to `POST /donations`. */
  respond: (request: DonationRequest) => MockResponse | Promise<MockResponse> = (request) =>
    createOutcome(request, 'succeeded');
  /** Response to `POST /donations/confirm`. */
  respondToConfirm: (request: DonationRequest) => MockResponse = (request) =>
    createOutcome(request, 'requires_action');
  readonly #nextStepsServed = Promise.withResolvers<string>();
  #version = 1;
  #lastRequest: DonationRequest | undefined;

  constructor(page: Page, language: Language, definition: FormDefinition) {
    this.page = page;
    this.context = page.context();
    this.form = page.locator('donation-form');
    this.language = language;
    this.definition = definition;
  }

  /** Opens the page and waits for the form and its card field, if the form loads. */
  async open(): Promise<void> {
    const sandbox = createSandbox({ platformKey: 'platform-key-of-the-images' });
    await this.page.clock.setFixedTime(new Date('2026-11-20T09:30:00Z'));
    await this.context.route(`${SITE_ORIGIN}/**`, (route) => this.#handleRoute(route));
    await this.context.route(`${STRIPE_ORIGIN}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname.startsWith('/fonts/')) return serveFont(route, pathname);
      const request = new Request(route.request().url(), {
        method: route.request().method(),
        headers: route.request().headers(),
        body: route.request().postData(),
      });
      const response = await sandbox.fetch(request);
      const text = await response.text();
      return route.fulfill({
        status: response.status,
        contentType: response.headers.get('Content-Type') ?? '',
        headers: { 'Access-Control-Allow-Origin': '*' },
        body: pathname.endsWith('/elements')
          ? text.replace('<form', `<style>${fontFaceCss}</style><form`)
          : text,
      });
    });
    await this.page.goto(`${SITE_ORIGIN}/`);
    if (this.formResponse !== 'no-response') await this.page.waitForFunction(hasDrawings);
    if (this.formResponse !== 'definition') return;
    await expect(this.form.locator('button[type=submit]')).toBeVisible();
    if (this.definition.payments[0].provider !== 'stripe') return;
    await expect(this.findCardFrame.locator('#number')).toBeVisible();
    // The form requests this chunk after the payment field.
    await this.#nextStepsServed.promise;
  }

  get findCardFrame() {
    return this.page.frameLocator('[slot=payment] iframe');
  }
  findControl(name: string): Locator {
    return this.form.locator(`[name="${name}"]`);
  }

  /** Changes the form definition while the form is open. */
  changeDefinition(definition: FormDefinition): void {
    this.definition = definition;
    this.#version += 1;
  }

  /** Loads another form definition without loading the page again. */
  async replaceForm(definition: FormDefinition): Promise<void> {
    this.changeDefinition(definition);
    await this.form.evaluate((form) => form.replaceWith(form.cloneNode(true)));
    await this.page.waitForFunction(hasDrawings);
    await expect(this.form.locator('button[type=submit]')).toBeVisible();
  }

  async fillDonor(): Promise<void> {
    const [first, last] = DONOR_NAMES[this.language] ?? DONOR_NAMES.en!;
    await this.findControl('firstName').fill(first);
    await this.findControl('lastName').fill(last);
    await this.findControl('email').fill('ana@example.org');
  }

  async fillCard(): Promise<void> {
    await this.findCardFrame.locator('#number').fill('4242 4242 4242 4242');
    await this.findCardFrame.locator('#expiry').fill('12 / 30');
    await this.findCardFrame.locator('#cvc').fill('123');
  }

  async submit(): Promise<void> {
    await this.form.locator('button[type=submit]').click();
  }

  /** Fills in the fields of a plain form and submits it. */
  async fillAndSubmit(): Promise<void> {
    await this.fillDonor();
    await this.fillCard();
    await this.submit();
  }

  async #handleRoute(route: Route): Promise<void> {
    const { pathname } = new URL(route.request().url());
    const sendJson = (body: object, status = 200, headers = {}): Promise<void> =>
      route.fulfill({ status, headers, json: body });
    if (pathname === '/')
      return route.fulfill({ contentType: 'text/html', body: renderPage(this.language) });
    if (pathname.startsWith('/fonts/')) return serveFont(route, pathname);
    if (pathname === '/form') {
      if (this.formResponse === 'no-response') return;
      return this.formResponse === 'unavailable'
        ? sendJson({}, 503)
        : sendJson(this.definition, 200, { ETag: `"${this.#version}"` });
    }
    if (pathname.startsWith('/countries'))
      return sendJson((await (await countries.request(pathname)).json()) as object);
    if (pathname === '/settings-report') return route.fulfill({ status: 204 });
    if (pathname.startsWith('/donations')) {
      const isPosted = route.request().method() === 'POST';
      const isConfirmed = pathname.endsWith('/confirm');
      if (isPosted && !isConfirmed)
        this.#lastRequest = route.request().postDataJSON() as DonationRequest;
      const response = await this.#getResponse(isPosted, isConfirmed);
      if (response === 'no-response') return;
      return response === 'network-error'
        ? route.abort()
        : sendJson(response.body, response.status, response.headers);
    }
    const script = /^\/(donation-form[\w.-]*\.js)$/.exec(pathname)?.[1];
    if (!script) return route.fulfill({ status: 404 });
    await route.fulfill({
      contentType: 'text/javascript',
      body: await readFile(`dist/donation-form-server/assets/${script}`),
    });
    if (script.includes('next-steps')) this.#nextStepsServed.resolve(script);
  }

  #getResponse(isPosted: boolean, isConfirmed: boolean): MockResponse | Promise<MockResponse> {
    if (isConfirmed) return this.respondToConfirm(this.#lastRequest!);
    return isPosted ? this.respond(this.#lastRequest!) : 'no-response';
  }
}

const DONOR_NAMES: Readonly<Partial<Record<Language, readonly [first: string, last: string]>>> = {
  en: ['Ana', 'Souza'],
  ar: ['ليلى', 'حداد'],
  he: ['נועה', 'לוי'],
};

function serveFont(route: Route, pathname: string): Promise<void> {
  return route.fulfill({
    contentType: 'font/woff2',
    headers: { 'Access-Control-Allow-Origin': '*' },
    body: fontFiles.get(pathname)!,
  });
}

function renderPage(language: Language): string {
  const isRightToLeft = ['ar', 'he'].includes(language);
  return `<!doctype html><html lang="${language}" dir="${isRightToLeft ? 'rtl' : 'ltr'}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Give</title><link rel="icon" href="data:">
<style>
${fontFaceCss}
:root { color-scheme: light dark }
body { margin: 0; background: light-dark(#fff, #14181a); color: light-dark(#1c2321, #e8ecea); font: 1em/1.5 Pinned, sans-serif }
main { box-sizing: border-box; max-width: calc(34em + 32px); margin: 0 auto; padding: 16px }
</style>
<script type="module" src="/donation-form.js"></script>
<main><donation-form endpoint="${SITE_ORIGIN}" language="${language}"><a href="https://example.org/give" style="color: inherit">${isRightToLeft ? FALLBACK_LINKS[language]! : FALLBACK_LINKS.en!}</a></donation-form></main></html>`;
}

const FALLBACK_LINKS: Readonly<Partial<Record<Language, string>>> = {
  en: 'Other ways to give',
  ar: 'طرق أخرى للتبرع',
  he: 'דרכים אחרות לתרום',
};

export const createProblem = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): MockResponse => ({
  status,
  headers,
  body: {
    type: 'about:blank',
    title: code,
    status,
    code,
    detail: 'what was found',
    requestId: 'r',
  },
});

export function createOutcome(
  {
    gift: { amount, coveredFees, total, currency, frequency },
    payment: { provider },
  }: DonationRequest,
  status: DonationOutcome['status'],
  projects: readonly (readonly [name: string, amount: string])[] = [],
  more: Partial<DonationOutcome> = {},
): MockResponse {
  const body: DonationOutcome = {
    reference: '7K4M9-QXD2P',
    provider,
    status,
    gift: { amount, coveredFees, total, currency, frequency },
    ...(status === 'failed' && { reason: 'card-declined' }),
    ...more,
    ...(status === 'succeeded' && {
      response: {
        success: true,
        message: null,
        transactionId: 'ch_1',
        amount: total / 100,
        giftId: 7,
        projectSplit: projects.map(([projectName, part], index) => ({
          projectId: String(index),
          projectName,
          amount: part,
        })),
      },
    }),
  };
  return {
    status: {
      succeeded: 200,
      processing: 202,
      requires_action: 202,
      unconfirmed: 202,
      failed: 402,
    }[status],
    body,
  };
}

/** Fails the test on any script error. */
export const test = base.extend<{ errors: string[] }>({
  errors: [
    async ({ context }, use) => {
      const errors: string[] = [];
      context.on('weberror', (error) => {
        errors.push(String(error.error()));
      });
      await use(errors);
      // Tests share the context, which stays offline after a test of a lost connection.
      await context.setOffline(false);
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],
});
