/** The form with Preact. */
import { h, render } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
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

const ErrorMessage = ({ id, message }) => (
  <p class="err" id={id} role="alert" hidden={!message}>
    {message}
  </p>
);

function DonationForm({ settings, root }) {
  const [values, setValues] = useState(() => createValues(settings));
  const [errors, setErrors] = useState({});
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const [receipt, setReceipt] = useState(null);
  const submission = useRef({});
  submission.current.key ||= crypto.randomUUID();
  const changeValues = (changes) => {
    const next = { ...values, ...changes };
    setValues(next);
    if (submission.current.hasTried) setErrors(validate(next, settings, formatMoney));
  };
  const countryOptions = useMemo(
    () =>
      listCountries(settings.locale).map(([code, name]) => (
        <option value={code} selected={code === settings.country}>
          {name}
        </option>
      )),
    [],
  );
  if (receipt)
    return (
      <div role="status">
        <h2>Thank you, {values.firstName}!</h2>
        <p>
          Your {formatMoney(settings, getTotal(values, settings))} gift was received. Reference{' '}
          {receipt.id}.
        </p>
      </div>
    );
  const readInput = ({ target }) =>
    changeValues(
      target.name === 'custom'
        ? { custom: target.value, amount: null }
        : { [target.name]: target.type === 'checkbox' ? target.checked : target.value },
    );
  const submit = async (event) => {
    event.preventDefault();
    submission.current.hasTried = true;
    const found = validate(values, settings, formatMoney);
    setErrors(found);
    if (Object.keys(found).length) return requestAnimationFrame(() => focusFirstError(root));
    setFailure('');
    setBusy(true);
    try {
      setReceipt(await sendDonation(values, settings, submission.current.key));
    } catch (error) {
      setFailure(error.message);
    }
    setBusy(false);
  };
  return (
    <form novalidate onInput={readInput} onSubmit={submit}>
      <h2>{settings.title}</h2>
      <fieldset>
        <legend>Amount</legend>
        <div class="amounts">
          {settings.amounts.map((amount) => (
            <button
              type="button"
              value={amount}
              aria-pressed={amount === values.amount}
              onClick={() => changeValues({ amount, custom: '' })}
            >
              {formatMoney(settings, amount)}
            </button>
          ))}
        </div>
        <div class="f">
          <label for="custom">Other amount</label>
          <input
            id="custom"
            name="custom"
            type="number"
            inputmode="decimal"
            value={values.custom}
            aria-invalid={!!errors.amount}
            aria-describedby="amount-e"
          />
          <ErrorMessage id="amount-e" message={errors.amount} />
        </div>
      </fieldset>
      <fieldset>
        <legend>Frequency</legend>
        <div class="freq">
          {settings.frequencies.map((frequency) => (
            <label class="chk">
              <input
                type="radio"
                name="frequency"
                value={frequency}
                checked={frequency === values.frequency}
              />
              {FREQUENCIES[frequency]}
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset>
        <legend>Your details</legend>
        <div class="grid">
          {FIELDS.map(([name, label, type, autocomplete, isRequired, maxLength]) => (
            <div class="f">
              <label for={name}>
                {label}
                {isRequired ? ' *' : ''}
              </label>
              <input
                id={name}
                name={name}
                type={type}
                autocomplete={autocomplete}
                maxlength={maxLength}
                aria-required={isRequired ? 'true' : undefined}
                aria-invalid={!!errors[name]}
                aria-describedby={name + '-e'}
              />
              <ErrorMessage id={name + '-e'} message={errors[name]} />
            </div>
          ))}
          <div class="f">
            <label for="country">Country *</label>
            <select
              id="country"
              name="country"
              autocomplete="country"
              aria-invalid={!!errors.country}
              aria-describedby="country-e"
            >
              {countryOptions}
            </select>
            <ErrorMessage id="country-e" message={errors.country} />
          </div>
        </div>
      </fieldset>
      <label class="chk">
        <input type="checkbox" name="coverFees" />
        <span class="fee">Cover the {formatMoney(settings, getFee(values, settings))} fee</span>
      </label>
      <label class="chk">
        <input type="checkbox" name="anonymous" />
        Give anonymously
      </label>
      <p class="err fail" role="alert" hidden={!failure}>
        {failure}
      </p>
      <button class="go" type="submit" disabled={isBusy}>
        {isBusy ? 'Processing…' : `Donate ${formatMoney(settings, getTotal(values, settings))}`}
      </button>
    </form>
  );
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(styles);

customElements.define(
  'donation-form',
  class extends HTMLElement {
    connectedCallback() {
      if (this.shadowRoot) return;
      const root = this.attachShadow({ mode: 'open' });
      root.adoptedStyleSheets = [sheet];
      render(<DonationForm settings={readSettings(this)} root={root} />, root);
    }
  },
);
