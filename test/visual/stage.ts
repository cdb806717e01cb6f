import { readFile } from 'node:fs/promises';
import {
  test as base,
  expect,
  type BrowserContext,
  type Locator,
  type Page,
  type Route,
} from 'playwright/test';
import type { DonationRequest } from '../../src/core/schemas/donation-request.ts';
import type { FormDefinition } from '../../src/core/schemas/form-definition.ts';
import type { Outcome } from '../../src/core/schemas/donation-outcome.ts';
import type { Language } from '../../src/core/i18n/language.ts';
import { createSandbox } from '../../src/sandbox/index.ts';
import { countryRoutes } from '../../src/server/http/routes/countries.ts';
import { fontFaces, fonts } from './fonts.ts';

/**
 * The card's origin is of the same site: a click beside a frame of another one gets lost in a
 * browser without a window.
 */
const SITE = 'https://site.test';
const CARD = 'https://card.site.test';
const countries = countryRoutes();

/** What `POST /donations` does: answers, leaves the line dead, or never answers. */
export type Answer =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: object;
    }
  | 'no answer'
  | 'silence';

/**
 * A site of one page with one form on it. Nothing of it comes over a network: the built script, the
 * endpoint's answers, and the sandbox's card frame.
 */
export class Stage {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly form: Locator;
  readonly language: Language;
  definition: FormDefinition;
  /** What `GET /form` does. */
  formAnswer: 'definition' | 'silence' | 'unavailable' = 'definition';
  /** What `POST /donations` does. */
  answer: (request: DonationRequest) => Answer | Promise<Answer> = (request) =>
    outcome(request, 'succeeded');
  /** What `POST /donations/confirm` does. */
  confirmed: (request: DonationRequest) => Answer = (request) => outcome(request, 'action');
  #version = 1;
  #given: DonationRequest | undefined;

  constructor(page: Page, language: Language, definition: FormDefinition) {
    this.page = page;
    this.context = page.context();
    this.form = page.locator('donation-form');
    this.language = language;
    this.definition = definition;
  }

  /** Opens the page, and waits for the form and its card field where the form comes. */
  async open(): Promise<void> {
    const sandbox = createSandbox({
      platformKey: 'platform-key-of-the-images',
      secretKey: 'secret-key-of-the-images',
    });
    await this.page.clock.setFixedTime(new Date('2026-11-20T09:30:00Z'));
    await this.context.route(`${SITE}/**`, (route) => this.#serve(route));
    await this.context.route(`${CARD}/**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname.startsWith('/fonts/')) return serveFont(route, pathname);
      const request = new Request(route.request().url(), {
        method: route.request().method(),
        headers: route.request().headers(),
        body: route.request().postData(),
      });
      const answer = await sandbox.fetch(request);
      const text = await answer.text();
      return route.fulfill({
        status: answer.status,
        contentType: answer.headers.get('Content-Type') ?? '',
        body: pathname.endsWith('/card-frame')
          ? text.replace('<form', `<style>${fontFaces}</style><form`)
          : text,
      });
    });
    await this.page.goto(`${SITE}/`);
    if (this.formAnswer !== 'definition') return;
    await expect(this.form.locator('button[type=submit]')).toBeVisible();
    if (this.definition.payments[0].provider === 'sandbox')
      await expect(this.card.locator('#number')).toBeVisible();
    // Once in a few hundred pages Playwright misses the end of an answer that a test gave, and the
    // page never counts as idle.
    await this.page.waitForLoadState('networkidle', { timeout: 10_000 }).catch(() => undefined);
  }

  get card() {
    return this.page.frameLocator('donation-form iframe');
  }
  control(name: string): Locator {
    return this.form.locator(`[name="${name}"]`);
  }

  /** The definition changes while the donor looks at the form. */
  changeDefinition(definition: FormDefinition): void {
    this.definition = definition;
    this.#version += 1;
  }

  async fillDonor(): Promise<void> {
    const [first, last] = NAMES[this.language] ?? NAMES.en!;
    await this.control('firstName').fill(first);
    await this.control('lastName').fill(last);
    await this.control('email').fill('ana@example.org');
  }

  async fillCard(): Promise<void> {
    await this.card.locator('#number').fill('4242 4242 4242 4242');
    await this.card.locator('#expiry').fill('12 / 30');
    await this.card.locator('#cvc').fill('123');
  }

  async press(): Promise<void> {
    await this.form.locator('button[type=submit]').click();
  }

  /** Fills in what a plain form needs, and gives. */
  async give(): Promise<void> {
    await this.fillDonor();
    await this.fillCard();
    await this.press();
  }

  async #serve(route: Route): Promise<void> {
    const { pathname } = new URL(route.request().url());
    const json = (body: object, status = 200, headers = {}): Promise<void> =>
      route.fulfill({ status, headers, json: body });
    if (pathname === '/')
      return route.fulfill({ contentType: 'text/html', body: pageOf(this.language) });
    if (pathname.startsWith('/fonts/')) return serveFont(route, pathname);
    if (pathname === '/form') {
      if (this.formAnswer === 'silence') return;
      return this.formAnswer === 'unavailable'
        ? json({}, 503)
        : json(this.definition, 200, { ETag: `"${this.#version}"` });
    }
    if (pathname.startsWith('/countries'))
      return json((await (await countries.request(pathname)).json()) as object);
    if (pathname === '/ignored-settings') return route.fulfill({ status: 204 });
    if (pathname.startsWith('/donations')) {
      const isPosted = route.request().method() === 'POST';
      const isConfirmed = pathname.endsWith('/confirm');
      if (isPosted && !isConfirmed) this.#given = route.request().postDataJSON() as DonationRequest;
      const answer = await this.#answerTo(isPosted, isConfirmed);
      if (answer === 'silence') return;
      return answer === 'no answer'
        ? route.abort()
        : json(answer.body, answer.status, answer.headers);
    }
    const script = /^\/(donation-form[\w.-]*\.js)$/.exec(pathname)?.[1];
    return script
      ? route.fulfill({
          contentType: 'text/javascript',
          body: await readFile(`dist/donation-form-server/assets/${script}`),
        })
      : route.fulfill({ status: 404 });
  }

  #answerTo(isPosted: boolean, isConfirmed: boolean): Answer | Promise<Answer> {
    if (isConfirmed) return this.confirmed(this.#given!);
    return isPosted ? this.answer(this.#given!) : 'silence';
  }
}

const NAMES: Readonly<Partial<Record<Language, readonly [first: string, last: string]>>> = {
  en: ['Ana', 'Souza'],
  ar: ['ليلى', 'حداد'],
  he: ['נועה', 'לוי'],
};

function serveFont(route: Route, pathname: string): Promise<void> {
  return route.fulfill({
    contentType: 'font/woff2',
    headers: { 'Access-Control-Allow-Origin': '*' },
    body: fonts.get(pathname)!,
  });
}

function pageOf(language: Language): string {
  const isRightToLeft = ['ar', 'he'].includes(language);
  return `<!doctype html><html lang="${language}" dir="${isRightToLeft ? 'rtl' : 'ltr'}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Give</title><link rel="icon" href="data:">
<style>
${fontFaces}
:root { color-scheme: light dark }
body { margin: 0; background: light-dark(#fff, #14181a); color: light-dark(#1c2321, #e8ecea); font: 1em/1.5 Pinned, sans-serif }
main { box-sizing: border-box; max-width: calc(34em + 32px); margin: 0 auto; padding: 16px }
</style>
<script type="module" src="/donation-form.js"></script>
<main><donation-form endpoint="${SITE}" language="${language}"><a href="https://example.org/give" style="color: inherit">${isRightToLeft ? OTHER_WAYS[language]! : OTHER_WAYS.en!}</a></donation-form></main></html>`;
}

const OTHER_WAYS: Readonly<Partial<Record<Language, string>>> = {
  en: 'Other ways to give',
  ar: 'طرق أخرى للتبرع',
  he: 'דרכים אחרות לתרום',
};

export const problem = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {},
): Answer => ({
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

export function outcome(
  { gift: { amount, costs, total, currency, frequency }, payment: { provider } }: DonationRequest,
  state: Outcome['state'],
  projects: readonly (readonly [name: string, amount: string])[] = [],
  more: Partial<Outcome> = {},
): Answer {
  const body: Outcome = {
    reference: '7K4M9-QXD2P',
    provider,
    state,
    gift: { amount, costs, total, currency, frequency },
    ...(state === 'declined' && { reason: 'card-declined' }),
    ...more,
    ...(state === 'succeeded' && {
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
    status: { succeeded: 200, pending: 202, action: 202, checking: 202, declined: 402 }[state],
    body,
  };
}

/** A test that fails on any script error. */
export const test = base.extend<{ errors: string[] }>({
  errors: [
    async ({ context }, use) => {
      const errors: string[] = [];
      context.on('weberror', (error) => {
        errors.push(String(error.error()));
      });
      await use(errors);
      expect(errors).toEqual([]);
    },
    { auto: true },
  ],
});
