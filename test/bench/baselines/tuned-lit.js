/** The form with Lit, tuned: no `Intl` before the first paint, and countries on first use. */
import { html, LitElement, nothing, unsafeCSS } from 'lit';
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
import { formatMoneyByPattern as formatMoney } from './money.js';

let countryOptions;

const getCountryOptions = (locale) => {
  if (!countryOptions) {
    const template = document.createElement('template');
    template.innerHTML = listCountries(locale)
      .map(([code, name]) => `<option value="${code}">${name}</option>`)
      .join('');
    countryOptions = template.content;
  }
  return countryOptions;
};

class TunedLitForm extends LitElement {
  static styles = unsafeCSS(styles);

  static properties = {
    settings: {},
    values: { state: true },
    errors: { state: true },
    isBusy: { state: true },
    failure: { state: true },
    receipt: { state: true },
  };

  connectedCallback() {
    if (!this.values) {
      this.parsedSettings = readSettings(this);
      this.values = createValues(this.parsedSettings);
      this.errors = {};
      this.key = crypto.randomUUID();
    }
    super.connectedCallback();
  }

  fillCountries() {
    const select = this.renderRoot.querySelector('select');
    if (select.length >= 2) return;
    select.textContent = '';
    select.append(getCountryOptions(this.parsedSettings.locale).cloneNode(true));
    select.value = this.values.country;
  }

  setValues(changes) {
    this.values = { ...this.values, ...changes };
    if (this.hasTried) this.errors = validate(this.values, this.parsedSettings, formatMoney);
  }

  readInput({ target }) {
    this.setValues(
      target.name === 'custom'
        ? { custom: target.value, amount: null }
        : { [target.name]: target.type === 'checkbox' ? target.checked : target.value },
    );
  }

  selectAmount({ target }) {
    const button = target.closest('button');
    if (button) this.setValues({ amount: +button.value, custom: '' });
  }

  async submit(event) {
    event.preventDefault();
    this.hasTried = true;
    this.errors = validate(this.values, this.parsedSettings, formatMoney);
    if (Object.keys(this.errors).length) {
      await this.updateComplete;
      return focusFirstError(this.renderRoot);
    }
    this.failure = '';
    this.isBusy = true;
    try {
      this.receipt = await sendDonation(this.values, this.parsedSettings, this.key);
    } catch (error) {
      this.failure = error.message;
    }
    this.isBusy = false;
  }

  renderError(name) {
    const message = this.errors[name];
    return html`<p class="err" id="${name}-e" role="alert" ?hidden=${!message}>${message || nothing}</p>`;
  }

  renderReceipt() {
    const { values, parsedSettings: settings } = this;
    return html`<div role="status"><h2>Thank you, ${values.firstName}!</h2><p>Your ${formatMoney(
      settings,
      getTotal(values, settings),
    )} gift was received. Reference ${this.receipt.id}.</p></div>`;
  }

  render() {
    const { values, parsedSettings: settings, errors } = this;
    if (this.receipt) return this.renderReceipt();
    return html`<form novalidate @focusin=${this.fillCountries} @pointerdown=${this.fillCountries} @input=${this.readInput} @submit=${this.submit}><h2>${settings.title}</h2><fieldset><legend>Amount</legend><div class="amounts" @click=${this.selectAmount}>${settings.amounts.map(
      (amount) =>
        html`<button type="button" value=${amount} aria-pressed=${amount === values.amount}>${formatMoney(settings, amount)}</button>`,
    )}</div><div class="f"><label for="custom">Other amount</label><input id="custom" name="custom" type="number" inputmode="decimal" .value=${values.custom} aria-invalid=${!!errors.amount} aria-describedby="amount-e">${this.renderError('amount')}</div></fieldset><fieldset><legend>Frequency</legend><div class="freq">${settings.frequencies.map(
      (frequency) =>
        html`<label class="chk"><input type="radio" name="frequency" value=${frequency} ?checked=${frequency === values.frequency}>${FREQUENCIES[frequency]}</label>`,
    )}</div></fieldset><fieldset><legend>Your details</legend><div class="grid">${FIELDS.map(
      ([name, label, type, autocomplete, isRequired, maxLength]) =>
        html`<div class="f"><label for=${name}>${label}${isRequired ? ' *' : ''}</label><input id=${name} name=${name} type=${type} autocomplete=${autocomplete} maxlength=${maxLength} aria-required=${isRequired ? 'true' : nothing} aria-invalid=${!!errors[name]} aria-describedby="${name}-e">${this.renderError(name)}</div>`,
    )}<div class="f"><label for="country">Country *</label><select id="country" name="country" autocomplete="country" aria-invalid=${!!errors.country} aria-describedby="country-e"><option value=${settings.country}>${settings.countryName ?? settings.country}</option></select>${this.renderError('country')}</div></div></fieldset><label class="chk"><input type="checkbox" name="coverFees"><span class="fee">Cover the ${formatMoney(settings, getFee(values, settings))} fee</span></label><label class="chk"><input type="checkbox" name="anonymous">Give anonymously</label><p class="err fail" role="alert" ?hidden=${!this.failure}>${this.failure}</p><button class="go" type="submit" ?disabled=${this.isBusy}>${
      this.isBusy ? 'Processing…' : `Donate ${formatMoney(settings, getTotal(values, settings))}`
    }</button></form>`;
  }
}

customElements.define('donation-form', TunedLitForm);
