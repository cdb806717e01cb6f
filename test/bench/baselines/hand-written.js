/** The form as an experienced engineer writes it without a library. */
import { listCountries } from './countries.js';
import styles from './form.css?inline';
import {
  createValues,
  FIELDS,
  focusFirstError,
  FREQUENCIES,
  getFee,
  getTotal,
  readSettings,
  sendDonation,
  validate,
} from './form-rules.js';
import { formatMoneyWithIntl as formatMoney } from './money.js';

const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);

const escapeHtml = (text) =>
  String(text).replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

const renderField = ([name, label, type, autocomplete, isRequired, maxLength]) =>
  `<div class="f"><label for="${name}">${label}${isRequired ? ' *' : ''}</label>` +
  `<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" ` +
  `maxlength="${maxLength}"${isRequired ? ' aria-required="true"' : ''} ` +
  `aria-describedby="${name}-e"><p class="err" id="${name}-e" role="alert" hidden></p></div>`;

const renderAmount = (settings) => (amount) =>
  `<button type="button" value="${amount}" aria-pressed="${amount === settings.defaultAmount}">` +
  `${formatMoney(settings, amount)}</button>`;

const renderFrequency = (frequency, index) =>
  `<label class="chk"><input type="radio" name="frequency" value="${frequency}"` +
  `${index ? '' : ' checked'}>${FREQUENCIES[frequency]}</label>`;

const renderCountry =
  (settings) =>
  ([code, name]) =>
    `<option value="${code}"${code === settings.country ? ' selected' : ''}>` +
    `${escapeHtml(name)}</option>`;

const renderForm = (settings) =>
  `<form novalidate><h2>${escapeHtml(settings.title)}</h2><fieldset><legend>Amount</legend>` +
  `<div class="amounts">${settings.amounts.map(renderAmount(settings)).join('')}</div>` +
  '<div class="f"><label for="custom">Other amount</label><input id="custom" name="custom" ' +
  'type="number" inputmode="decimal" aria-describedby="amount-e"><p class="err" id="amount-e" ' +
  'role="alert" hidden></p></div></fieldset><fieldset><legend>Frequency</legend>' +
  `<div class="freq">${settings.frequencies.map(renderFrequency).join('')}</div></fieldset>` +
  '<fieldset><legend>Your details</legend><div class="grid">' +
  `${FIELDS.map(renderField).join('')}<div class="f"><label for="country">Country *</label>` +
  '<select id="country" name="country" autocomplete="country" aria-describedby="country-e">' +
  `${listCountries(settings.locale).map(renderCountry(settings)).join('')}</select>` +
  '<p class="err" id="country-e" role="alert" hidden></p></div></div></fieldset>' +
  '<label class="chk"><input type="checkbox" name="coverFees"><span class="fee"></span></label>' +
  '<label class="chk"><input type="checkbox" name="anonymous">Give anonymously</label>' +
  '<p class="err fail" role="alert" hidden></p><button class="go" type="submit"></button></form>';

const templates = {};

const getTemplate = (settings) => {
  const key = JSON.stringify(settings);
  if (templates[key]) return templates[key];
  const template = document.createElement('template');
  template.innerHTML = renderForm(settings);
  return (templates[key] = template);
};

customElements.define(
  'donation-form',
  class extends HTMLElement {
    connectedCallback() {
      if (this.shadowRoot) return;
      this.settings = readSettings(this);
      const root = this.attachShadow({ mode: 'open' });
      root.adoptedStyleSheets = [sheet];
      this.values = createValues(this.settings);
      this.key = crypto.randomUUID();
      root.append(getTemplate(this.settings).content.cloneNode(true));
      this.find = (selector) => root.querySelector(selector);
      const form = this.find('form');
      form.addEventListener('click', (event) => {
        const button = event.target.closest('.amounts button');
        if (!button) return;
        this.values.amount = +button.value;
        this.values.custom = this.find('#custom').value = '';
        this.update();
      });
      form.addEventListener('input', ({ target }) => {
        if (target.type === 'checkbox') this.values[target.name] = target.checked;
        else this.values[target.name] = target.value;
        if (target.name === 'custom') this.values.amount = null;
        this.update(target.name);
      });
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        void this.submit();
      });
      this.update();
    }

    update(name) {
      const { values, settings, find } = this;
      if (!name || name === 'custom')
        for (const button of this.shadowRoot.querySelectorAll('.amounts button')) {
          const isPressed = String(+button.value === values.amount);
          if (button.getAttribute('aria-pressed') !== isPressed)
            button.setAttribute('aria-pressed', isPressed);
        }
      find('.fee').textContent = `Cover the ${formatMoney(settings, getFee(values, settings))} fee`;
      find('.go').textContent = this.isBusy
        ? 'Processing…'
        : `Donate ${formatMoney(settings, getTotal(values, settings))}`;
      find('.go').disabled = !!this.isBusy;
      if (this.hasTried) this.showErrors(validate(values, settings, formatMoney));
    }

    showErrors(errors) {
      for (const name of ['amount', 'country', ...FIELDS.map((field) => field[0])]) {
        const message = this.find(`#${name}-e`);
        message.hidden = !errors[name];
        message.textContent = errors[name] || '';
        this.find(name === 'amount' ? '#custom' : '#' + name).setAttribute(
          'aria-invalid',
          !!errors[name],
        );
      }
      return errors;
    }

    async submit() {
      const { values, settings } = this;
      this.hasTried = true;
      if (Object.keys(this.showErrors(validate(values, settings, formatMoney))).length)
        return focusFirstError(this.shadowRoot);
      const failure = this.find('.fail');
      failure.hidden = true;
      this.isBusy = true;
      this.update();
      try {
        const { id } = await sendDonation(values, settings, this.key);
        const status = document.createElement('div');
        status.setAttribute('role', 'status');
        status.innerHTML =
          `<h2>Thank you, ${escapeHtml(values.firstName)}!</h2><p>Your ` +
          `${formatMoney(settings, getTotal(values, settings))} gift was received. ` +
          `Reference ${escapeHtml(id)}.</p>`;
        this.find('form').replaceWith(status);
      } catch (error) {
        this.isBusy = false;
        failure.textContent = error.message;
        failure.hidden = false;
        this.update();
      }
    }
  },
);
