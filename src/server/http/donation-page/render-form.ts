import { html } from 'hono/html';
import { PaymentMethodType } from '@donation-form/core/donation';
import {
  getSelectedOffer,
  getSelectedProject,
  isOfflinePayment,
  PROVIDER_CONTROL,
} from '@donation-form/core/form-state';
import { fillPlaceholders, formatPlural } from '@donation-form/core/i18n';
import type { PaymentOffer } from '@donation-form/core/schemas';
import { getSuggestedAmounts } from '@donation-form/core/settings';
import type { Html } from '../render-document.ts';
import { setQueryParameter } from './page-form.ts';
import {
  type FormView,
  renderChoice,
  renderConsents,
  renderDonorFields,
  renderError,
  renderErrorAttributes,
  renderGiftAid,
  renderHint,
  renderTribute,
} from './render-fields.ts';

export interface FormPage {
  /** Without personal data. */
  readonly search: string;
  readonly idempotencyKey: string;
  readonly etag: string;
  /** About the whole donation instead of a single field. */
  readonly notice?: string | undefined;
}

/** Name of the honeypot field, which only bots fill in. */
export const HONEYPOT_FIELD = 'website';

export function renderForm(view: FormView, page: FormPage): Html {
  const { context, texts } = view;
  const { form, optionalFields } = texts;
  const { organization, isTest } = context.definition;
  const isOffline = context.definition.payments.every(isOfflinePayment);
  return html`<header><p class="organization">${organization.name}</p>
<h1>${context.definition.name ?? form.giveWithoutAmount}</h1>${isTest ? html`<p class="hint">${form.testMode}</p>` : ''}</header>
<main>${renderNotice(view, page)}
<form method="post" action="${page.search || '?'}" novalidate>
<input type="hidden" name="key" value="${page.idempotencyKey}">
<input type="hidden" name="definition" value="${page.etag}">
<div class="website" aria-hidden="true">
<input name="${HONEYPOT_FIELD}" tabindex="-1" autocomplete="off" aria-label="${HONEYPOT_FIELD}"></div>
${renderDefaultButton()}${renderFrequencies(view, page)}${renderCurrencies(view, page)}${renderAmount(view)}
${renderProjects(view)}${renderTribute(view)}${renderDonorFields(view)}${renderGiftAid(view)}${renderPayments(view)}
${renderConsents(view)}
<button class="submit">${isOffline ? optionalFields.giveOffline : renderGiveLabels(view)}</button>
<p class="hint">${fillPlaceholders(
    isOffline ? optionalFields.offlineRecipientNote : form.recipientNote,
    {
      organization: organization.name,
    },
  )}</p>
</form></main>`;
}

/** The Enter key activates the first button, which would otherwise select a frequency. */
const renderDefaultButton = (): Html =>
  html`<button class="website" tabindex="-1" aria-hidden="true"></button>
`;

/** One label for each amount, and one without. The style sheet shows that of the checked amount. */
function renderGiveLabels({
  context: { settings },
  state: { frequency },
  texts: { form },
  formatMoney,
}: FormView): Html[] {
  const labels = getSuggestedAmounts(settings, frequency).giftArray.map(({ value }) =>
    fillPlaceholders(form.give, {
      amount: fillPlaceholders(form.amountsByFrequency[frequency], { amount: formatMoney(value) }),
    }),
  );
  return [...labels, form.giveWithoutAmount].map((label) => html`<span>${label}</span>`);
}

function renderNotice({ errors, texts, language }: FormView, { notice }: FormPage): Html | '' {
  if (notice === undefined && errors.length === 0) return '';
  return html`<div class="notice" id="notice" role="alert" tabindex="-1" autofocus><p>${
    notice ?? formatPlural(texts.submission.errorSummary, errors.length, language)
  }</p>
${
  errors.length > 0
    ? html`<ul>${errors.map(({ control, message }) => html`<li><a href="#${control}">${message}</a></li>`)}</ul>`
    : ''
}</div>`;
}

/** Reloads the page with the entries, because the suggested amounts depend on the frequency. */
function renderFrequencies(
  { context: { definition }, state, texts: { form } }: FormView,
  { search }: FormPage,
): Html | '' {
  const options = definition.frequencies.map((frequency) => ({
    url: setQueryParameter(search, 'frequency', frequency),
    label: form.frequencies[frequency],
    isSelected: frequency === state.frequency,
  }));
  return renderOptions(form.frequency, 'frequency', options);
}

function renderCurrencies(
  { context: { definition, settings }, texts: { form } }: FormView,
  { search }: FormPage,
): Html | '' {
  const options = definition.currencies.map(({ code }) => ({
    url: setQueryParameter(search, 'currencyCode', code),
    label: code,
    isSelected: code === settings.currency.code,
  }));
  return renderOptions(form.currency, 'currency', options);
}

function renderOptions(
  legend: string,
  step: 'frequency' | 'currency',
  options: readonly { url: string; label: string; isSelected: boolean }[],
): Html | '' {
  if (options.length < 2) return '';
  const buttons = options.map(
    ({ url, label, isSelected }) =>
      html`<button name="step" value="${step}" formaction="${url}"${
        isSelected ? html` aria-current="true"` : ''
      }>${label}</button>`,
  );
  return html`<fieldset><legend>${legend}</legend><div class="options">${buttons}</div></fieldset>`;
}

function renderAmount(view: FormView): Html {
  const {
    context: { definition, settings },
    state,
    texts: { form },
    formatMoney,
  } = view;
  const { giftArray } = getSuggestedAmounts(settings, state.frequency);
  const { code } = settings.currency;
  return html`<fieldset id="amount" tabindex="-1"${renderErrorAttributes(
    view,
    'amount',
  )}><legend>${form.amount}</legend><div class="tiles">
${giftArray.map(({ value, displayValue, description }, index) =>
  renderChoice('radio', {
    control: 'amount',
    value: String(index),
    label: html`<b>${displayValue ?? formatMoney(value)}</b>${description ? html` <small>${description}</small>` : ''}`,
    isSelected: state.amountChoice === index,
  }),
)}
${
  definition.allowCustomAmount
    ? html`${renderChoice('radio', {
        control: 'amount',
        value: 'custom',
        label: html`<b>${form.otherAmount}</b>`,
        isSelected: state.amountChoice === 'custom',
      })}</div><div class="field"><label for="customAmount">${fillPlaceholders(form.otherAmountIn, {
        currency: code,
      })}</label>
<input id="customAmount" name="customAmount"
inputmode="decimal" autocomplete="off" maxlength="20" value="${state.customAmount}"${renderErrorAttributes(
        view,
        'amount',
      )}></div>`
    : html`</div>`
}${renderError(view, 'amount')}</fieldset>`;
}

function renderProjects({ context, state, texts: { form } }: FormView): Html | '' {
  const { projects } = context.definition;
  const selected = getSelectedProject(state, context);
  if (context.settings.isProjectFixed)
    return html`<p><strong>${form.purpose}</strong> ${selected.name}</p>`;
  return projects.length < 2
    ? ''
    : html`<div class="field"><label for="project">${form.purpose}</label>
<select id="project" name="project" autocomplete="off">${projects.map(
        ({ id, name }) =>
          html`<option value="${id}"${id === selected.id ? ' selected' : ''}>${name}</option>`,
      )}</select></div>`;
}

/** The fee cover's label states no fee, which depends on the amount and payment method. */
function renderPayments(view: FormView): Html {
  const {
    context: {
      definition: { payments },
      settings,
    },
    state,
    texts: { form },
  } = view;
  return html`<fieldset class="payment"><legend>${form.payment}</legend>
${payments.map((payment) => renderPayment(view, payment))}
${
  settings.currency.feeCover
    ? renderChoice('checkbox', {
        control: 'coverCosts',
        value: 'true',
        label: form.coverFees,
        isSelected: state.coverCosts,
      })
    : ''
}</fieldset>`;
}

function renderPayment(view: FormView, payment: PaymentOffer): Html {
  const { definition } = view.context;
  const { provider, hasHostedCheckout, options } = payment;
  const hint = hasHostedCheckout ? view.texts.submission.hostedPayment : options.instructions;
  const control = `payment-${provider}`;
  return html`<div class="method">${
    definition.payments.length > 1
      ? renderChoice(
          'radio',
          {
            control: PROVIDER_CONTROL,
            value: provider,
            label: getPaymentLabel(payment, view),
            isSelected: payment === getSelectedOffer(view.state, definition),
          },
          hint ? html` aria-describedby="${control}-hint"` : '',
        )
      : ''
  }${renderHint(control, hint)}</div>
`;
}

function getPaymentLabel(
  { label, methods }: PaymentOffer,
  { texts: { optionalFields } }: FormView,
): string {
  const { card, bank, other } = optionalFields.paymentMethods;
  if (label !== undefined) return label;
  if (methods.includes(PaymentMethodType.CreditCard)) return card;
  return methods.includes(PaymentMethodType.ACH) ? bank : other;
}
