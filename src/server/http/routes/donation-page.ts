import { html } from 'hono/html';
import {
  type FieldError,
  type FormValues,
  getFieldFailureError,
  isFieldFailure,
} from '@donation-form/core/form-state';
import {
  fillPlaceholders,
  findLanguage,
  type Language,
  type SubmissionNotice,
} from '@donation-form/core/i18n';
import {
  type DonationOutcome,
  donationRequest,
  type FormDefinition,
  type ProblemCode,
} from '@donation-form/core/schemas';
import { buildReturnUrl, removeProviderParameters } from '@donation-form/core/url';
import type { Donation } from '../../database/schema.ts';
import { continueDonation, submitDonation } from '../../donations/submit-donation.ts';
import { describeError } from '../../lib/describe-error.ts';
import { Problem } from '../../lib/problem.ts';
import {
  getLocalizedDefinition,
  type Organizations,
  type RegisteredForm,
} from '../../organizations/organizations.ts';
import {
  type AppOptions,
  createBodyLimitMiddleware,
  identifyClient,
  MAX_DONATION_BYTES,
  readText,
  rejectOtherMethods,
  type RouteContext,
  type Router,
} from '../context.ts';
import { findErrors } from '../donation-page/find-errors.ts';
import {
  addDonationParameter,
  addKeyToCookie,
  createIdempotencyKey,
  readDonationKey,
  readKeys,
  removeDonationParameter,
  removeKeyFromCookie,
} from '../donation-page/key-cookie.ts';
import {
  createPageForm,
  createPageRequest,
  listPaymentsWithoutScript,
  type PageForm,
  readSubmittedValues,
  removePersonalParameters,
  restoreFormValues,
} from '../donation-page/page-form.ts';
import { HONEYPOT_FIELD, renderForm } from '../donation-page/render-form.ts';
import { renderOutcome } from '../donation-page/render-outcome.ts';
import { findDonation, hashIdempotencyKey } from '../idempotency-key.ts';
import { getOwnPageUrl, isSentByOwnPage } from '../origin-check.ts';
import { parseJsonBody } from '../parse-json-body.ts';
import { sendDonationPage, sendUnknownFormPage } from './pages.ts';

/** In seconds. Grows with the donation's age, because each reload interrupts screen readers. */
const MIN_REFRESH_INTERVAL = 15;
const MAX_REFRESH_INTERVAL = 600;

/** In milliseconds. Later, someone else might be using the computer. */
const ENTRIES_LIFETIME = 15 * 60_000;

/** A requested form in the donor's language. */
interface RequestedForm extends RegisteredForm {
  /** Has only providers that need no script or, if there are none, the first one. */
  readonly definition: FormDefinition;
  readonly etag: string;
  readonly language: Language;
}

/** The page where donors can donate without JavaScript. */
export function addDonationPageRoutes(app: Router, options: AppOptions): void {
  const { organizations, repository, log, now } = options;

  app.get('/donate', async (c) => {
    const form = findRequestedForm(c, organizations);
    if (!form) return sendUnknownFormPage(c, c.req.query('id') ?? '');
    const row = await findFormDonation(c, form, options);
    const outcome = row && (await continueFormDonation(c, row, 'syncAfterDonorAction', options));
    if (row && outcome?.status === 'failed') {
      removeKeyFromCookie(c, isSecure(row.payload.form.page ?? ''));
      const pageForm = await createForm(c, form);
      return now() - row.createdAt > ENTRIES_LIFETIME
        ? sendForm(c, form, { outcome })
        : sendForm(c, form, { values: restoreFormValues(row, pageForm), outcome });
    }
    if (row && outcome) return sendOutcomePage(c, form, outcome, row, now());
    if (listPaymentsWithoutScript(form.definition).length === 0)
      return sendUnavailablePage(c, form);
    return (await repository.pauses.isPaused(form.organization.id))
      ? sendForm(c, form, { problem: 'paused' })
      : sendForm(c, form);
  });

  app.post('/donate', createBodyLimitMiddleware(MAX_DONATION_BYTES), async (c) => {
    const form = findRequestedForm(c, organizations);
    if (!form) return sendUnknownFormPage(c, c.req.query('id') ?? '');
    const { origins } = form.organization;
    if (!isSentByOwnPage(c, origins)) {
      c.set('problem', 'origin-not-allowed');
      return sendForm(c, form, { problem: 'origin-not-allowed' });
    }
    const body = new URLSearchParams(await readText(c));
    const key = body.get('key') ?? undefined;
    const values = readSubmittedValues(body, form.definition);
    try {
      const pageUrl = removeProviderParameters(getOwnPageUrl(c, origins));
      switch (body.get('step')) {
        case 'cancel': {
          const row = await findFormDonation(c, form, options);
          if (row) await continueFormDonation(c, row, 'cancelDonation', options);
          return c.redirect(pageUrl.href, 303);
        }
        case 'restart':
          removeKeyFromCookie(c, isSecure(pageUrl.href));
          return c.redirect(removeDonationParameter(pageUrl).href, 303);
        case 'frequency':
        case 'currency':
          return await sendForm(c, form, { values: removeSuggestedAmount(values), key });
        default:
          return await submitForm(c, form, body, values, removeDonationParameter(pageUrl), options);
      }
    } catch (error) {
      const problem = error instanceof Problem ? error.code : 'internal-error';
      if (!(error instanceof Problem) || error.cause !== undefined)
        log.error({ request: c.get('requestId'), ...describeError(error) }, 'request failed');
      c.set('problem', problem);
      return sendForm(c, form, {
        values,
        key: problem === 'idempotency-key-reused' ? undefined : key,
        problem,
      });
    }
  });

  rejectOtherMethods(app, '/donate');
}

/** Ignores donations made on other forms. */
async function findFormDonation(
  c: RouteContext,
  { definition }: RequestedForm,
  options: AppOptions,
): Promise<Donation | undefined> {
  const key = readDonationKey(c);
  const row = key === undefined ? undefined : await findDonation(c, key, options);
  return row?.payload.form.id === definition.id ? row : undefined;
}

const continueFormDonation = (
  c: RouteContext,
  donation: Donation,
  action: 'syncAfterDonorAction' | 'cancelDonation',
  options: AppOptions,
): Promise<DonationOutcome> =>
  continueDonation(donation, action, identifyClient(c, options.fraudProtection), options);

async function submitForm(
  c: RouteContext,
  form: RequestedForm,
  body: URLSearchParams,
  values: FormValues,
  pageUrl: URL,
  options: AppOptions,
): Promise<Response> {
  const key = body.get('key') ?? undefined;
  const pageForm = await createForm(c, form, values);
  const errors = findErrors(pageForm, values);
  if (errors.length > 0 || !pageForm.totals) return sendForm(c, form, { values, key, errors });
  const request = createPageRequest(pageForm, pageForm.totals, {
    etag: body.get('definition') ?? '',
    page: pageUrl,
    returnUrl: buildReturnUrl(addDonationParameter(pageUrl, key ?? '')),
    website: body.get(HONEYPOT_FIELD) ?? '',
  });
  const redirectToOutcome = (url = addDonationParameter(pageUrl, key!).href): Response => {
    addKeyToCookie(c, key!, isSecure(pageUrl.href));
    return c.redirect(url, 303);
  };
  try {
    const outcome = await submitDonation(
      {
        request: parseJsonBody(JSON.stringify(request), donationRequest),
        form,
        origin: pageUrl.origin,
        keyHash: hashIdempotencyKey(key),
        client: identifyClient(c, options.fraudProtection),
      },
      options,
    );
    c.set('reference', outcome.reference);
    if (outcome.status === 'failed') return await sendForm(c, form, { values, outcome });
    const { action } = outcome;
    return redirectToOutcome(action?.kind === 'redirect' ? action.url : undefined);
  } catch (error) {
    // The donor went back and submitted a changed donation with the same key. Show the first
    // donation's outcome, but only to the browser that made it.
    if (
      error instanceof Problem &&
      error.code === 'idempotency-key-reused' &&
      readKeys(c).includes(key!)
    )
      return redirectToOutcome();
    throw error;
  }
}

function findRequestedForm(
  c: RouteContext,
  organizations: Organizations,
): RequestedForm | undefined {
  const registered = organizations.findForm(c.req.query('id'));
  if (!registered) return undefined;
  c.set('organization', registered.organization.id);
  const tags = [c.req.query('language'), ...(c.req.header('Accept-Language') ?? '').split(',')];
  const language =
    tags.map((tag) => findLanguage(tag?.split(';')[0] ?? '')).find((found) => found) ?? 'en';
  const { definition, etag } = getLocalizedDefinition(registered.form, language);
  const [first = definition.payments[0], ...others] = listPaymentsWithoutScript(definition);
  return {
    ...registered,
    definition: { ...definition, payments: [first, ...others] },
    etag,
    language,
  };
}

const isSecure = (url: string): boolean => url.startsWith('https:');

/** Returns the query of the page's URL without the payment provider's parameters. */
const getSearch = (c: RouteContext): string => removeProviderParameters(new URL(c.req.url)).search;

const getFormSearch = (c: RouteContext): string =>
  removeDonationParameter(removeProviderParameters(new URL(c.req.url))).search;

/** The suggestions depend on the frequency and currency. */
const removeSuggestedAmount = (values: FormValues): FormValues =>
  values.amount?.[0] === 'custom' ? values : { ...values, amount: [] };

const createForm = (
  c: RouteContext,
  { definition, language }: RequestedForm,
  values?: FormValues,
): Promise<PageForm> => createPageForm(definition, language, getFormSearch(c), values);

/** All other problems have 403 and `rejected`. */
const PROBLEMS: Readonly<
  Partial<Record<ProblemCode, [403 | 409 | 429 | 500 | 503, SubmissionNotice | 'noScriptRejected']>>
> = {
  'challenge-required': [429, 'noScriptRejected'],
  'too-many-requests': [429, 'noScriptRejected'],
  'form-outdated': [409, 'form-outdated'],
  paused: [503, 'paused'],
  unavailable: [503, 'payment-failed'],
  'internal-error': [500, 'network-error'],
};

async function sendForm(
  c: RouteContext,
  form: RequestedForm,
  {
    values,
    key = createIdempotencyKey(),
    errors = [],
    problem,
    outcome,
  }: {
    readonly values?: FormValues;
    /** Defaults to a new key. */
    readonly key?: string | undefined;
    readonly errors?: readonly FieldError[];
    readonly problem?: ProblemCode;
    readonly outcome?: DonationOutcome;
  } = {},
): Promise<Response> {
  const pageForm = await createForm(c, form, values);
  const { submission, form: formTexts } = pageForm.texts;
  const { organization } = form.definition;
  const rejectedField =
    outcome?.reason && isFieldFailure(outcome.reason)
      ? getFieldFailureError(outcome.reason, pageForm.texts.submission)
      : undefined;
  const [status, notice] = problem ? (PROBLEMS[problem] ?? [403, 'rejected']) : [];
  const failureNotice = outcome && !rejectedField && getFailureNotice(outcome);
  const shownNotice = notice ?? failureNotice;
  const text =
    shownNotice === 'noScriptRejected'
      ? submission.noScriptRejected
      : shownNotice && submission.notices[shownNotice];
  const allErrors = rejectedField ? [...errors, rejectedField] : errors;
  return sendDonationPage(
    c,
    {
      ...form,
      title: form.definition.name ?? formTexts.giveWithoutAmount,
      body: renderForm(
        { ...pageForm, errors: allErrors },
        {
          search: removePersonalParameters(getFormSearch(c)),
          idempotencyKey: key,
          etag: form.etag,
          notice: text
            ? fillPlaceholders(text, {
                organization: organization.name,
                contact: organization.contact,
              })
            : undefined,
        },
      ),
    },
    status ?? (outcome && 402) ?? (allErrors.length > 0 ? 422 : 200),
  );
}

function getFailureNotice({ reason }: DonationOutcome): SubmissionNotice {
  return reason === 'card-declined' || reason === 'not-confirmed' ? reason : 'payment-failed';
}

async function sendUnavailablePage(c: RouteContext, form: RequestedForm): Promise<Response> {
  const { submission, form: formTexts } = (await createForm(c, form)).texts;
  const { contact } = form.definition.organization;
  const body = html`<main class="message"><h1>${formTexts.unavailable}</h1>
<p>${fillPlaceholders(submission.notices.rejected, { contact })}</p></main>`;
  return sendDonationPage(c, { ...form, title: formTexts.unavailable, body }, 503);
}

async function sendOutcomePage(
  c: RouteContext,
  form: RequestedForm,
  outcome: DonationOutcome,
  { createdAt, payload }: Donation,
  now: number,
): Promise<Response> {
  const search = removePersonalParameters(getSearch(c));
  if (outcome.status === 'unconfirmed') {
    const interval = Math.max(MIN_REFRESH_INTERVAL, Math.round((now - createdAt) / 2_000));
    c.header('Refresh', String(Math.min(interval, MAX_REFRESH_INTERVAL)));
  }
  return sendDonationPage(c, {
    ...form,
    ...renderOutcome(await createForm(c, form), outcome, {
      search,
      canReceiveEmail: payload.donor.email !== undefined,
    }),
  });
}
