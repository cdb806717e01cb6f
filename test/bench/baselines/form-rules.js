/** Settings, fields, arithmetic, and rules that the hand-written, Lit, and Preact forms share. */

const DEFAULTS = {
  endpoint: '/donations',
  currency: 'USD',
  locale: 'en-US',
  title: 'Make a donation',
  amounts: [25, 50, 100, 250, 500],
  defaultAmount: 50,
  min: 5,
  max: 50000,
  frequencies: ['once', 'monthly', 'annual'],
  feePercent: 2.9,
  feeFixed: 0.3,
  country: 'US',
  countryName: 'United States',
};

export const FREQUENCIES = { once: 'One time', monthly: 'Monthly', annual: 'Annually' };

/** Name, label, type, autocomplete token, whether it is required, and maximum length. */
export const FIELDS = [
  ['firstName', 'First name', 'text', 'given-name', 1, 60],
  ['lastName', 'Last name', 'text', 'family-name', 1, 60],
  ['email', 'Email', 'email', 'email', 1, 254],
  ['phone', 'Phone', 'tel', 'tel', 0, 30],
  ['company', 'Organization', 'text', 'organization', 0, 120],
  ['address1', 'Address line 1', 'text', 'address-line1', 1, 120],
  ['address2', 'Address line 2', 'text', 'address-line2', 0, 120],
  ['city', 'City', 'text', 'address-level2', 1, 80],
  ['region', 'State / region', 'text', 'address-level1', 0, 80],
  ['postalCode', 'Postal code', 'text', 'postal-code', 1, 16],
];

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const PHONE = /^[+()\d .-]{6,}$/;

export const readSettings = (element) => ({
  ...DEFAULTS,
  ...JSON.parse(element.getAttribute('settings') || '{}'),
});

export const createValues = (settings) => {
  const values = {
    amount: settings.defaultAmount,
    custom: '',
    frequency: settings.frequencies[0],
    coverFees: false,
    anonymous: false,
    country: settings.country,
  };
  for (const field of FIELDS) values[field[0]] = '';
  return values;
};

const getAmount = (values) => (values.amount == null ? Number(values.custom) || 0 : values.amount);

export const getFee = (values, settings) =>
  Math.round(((getAmount(values) * settings.feePercent) / 100 + settings.feeFixed) * 100) / 100;

export const getTotal = (values, settings) =>
  getAmount(values) + (values.coverFees ? getFee(values, settings) : 0);

export const validate = (values, settings, formatMoney) => {
  const errors = {};
  const amount = getAmount(values);
  if (amount < settings.min) errors.amount = `Minimum is ${formatMoney(settings, settings.min)}`;
  else if (amount > settings.max)
    errors.amount = `Maximum is ${formatMoney(settings, settings.max)}`;
  for (const [name, label, , , isRequired] of FIELDS)
    if (isRequired && !values[name].trim()) errors[name] = `${label} is required`;
  if (!errors.email && !EMAIL.test(values.email)) errors.email = 'Enter a valid email';
  if (values.phone && !PHONE.test(values.phone)) errors.phone = 'Enter a valid phone number';
  if (!values.country) errors.country = 'Country is required';
  return errors;
};

const createPayload = (values, settings) => ({
  ...values,
  custom: undefined,
  amount: Math.round(getTotal(values, settings) * 100),
  currency: settings.currency,
});

export const sendDonation = async (values, settings, key) => {
  const response = await fetch(settings.endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(createPayload(values, settings)),
  });
  if (!response.ok) throw Error('We could not process your gift. Please try again.');
  return response.json();
};

export const focusFirstError = (root) => root.querySelector('[aria-invalid=true]')?.focus();
