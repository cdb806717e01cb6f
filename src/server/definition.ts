import type { FormConfiguration, OrganizationConfiguration } from '../contract/configuration.ts';
import type { CurrencyOffer, FormDefinition } from '../contract/form-definition.ts';
import { coveredCosts } from '../model/costs.ts';
import { decimalsOf } from '../model/currencies.ts';
import { CustomFieldDataFormatter, CustomFieldDataType } from '../model/custom-field.ts';
import { DONOR_FIELDS } from '../model/donor.ts';
import { LARGEST_AMOUNT, majorUnits, parseAmount } from '../model/money.ts';
import { PaymentMethodType } from '../model/payment.ts';
import { sha256 } from './hash.ts';
import { ConfigurationError } from './configuration-error.ts';
import type { OfferedForm } from './organization.ts';

/** Providers that move no money. */
const TEST_PROVIDERS: readonly string[] = ['sandbox'];

/**
 * What `GET /form` answers for a configured form.
 * @param at the form's place in the file, for messages.
 * @throws {ConfigurationError}
 */
export function offer(organization: OrganizationConfiguration, form: FormConfiguration, at: string): OfferedForm {
  const definition: FormDefinition = {
    id: form.id,
    organization: { name: organization.name, contact: organization.contact },
    isTest: TEST_PROVIDERS.includes(organization.payment.provider),
    currencies: form.currencies.map((currency, index) => currencyOffer(currency, `${at}.currencies.${index}`)) as [CurrencyOffer, ...CurrencyOffer[]],
    frequencies: form.frequencies,
    suggestsMonthly: false,
    projects: form.projects,
    acceptsSplit: false,
    acceptsTribute: false,
    donorFields: DONOR_FIELDS.flatMap((name) => (form.donorFields[name] ? [{ name, required: form.donorFields[name] === 'required' }] : [])),
    acceptsOrganizations: false,
    acceptsAnonymity: false,
    acceptsComment: form.acceptsComment,
    acceptsCustomAmount: form.acceptsCustomAmount,
    consents: [],
    customFields: form.customFields.map(({ id, type, options }) => ({ id, type: CustomFieldDataType[type], formatter: CustomFieldDataFormatter.None, required: false, ...(options && { options: options.map((value) => ({ value, label: value })) }) })),
    acceptsHiddenCustomFields: form.acceptsHiddenCustomFields,
    receipts: 'none',
    texts: {},
    payment: {
      provider: organization.payment.provider,
      methods: [PaymentMethodType.CreditCard],
      options: { frame: `${organization.payment.baseUrl.replace(/\/$/, '')}/card-frame`, publicKey: organization.payment.publicKey },
    },
  };
  return { definition, etag: `"${sha256(JSON.stringify(definition)).slice(0, 22)}"` };
}

function currencyOffer({ code, minimum, maximum, giftArray, costs }: FormConfiguration['currencies'][number], at: string): CurrencyOffer {
  const decimals = decimalsOf(code);
  if (decimals === undefined) throw new ConfigurationError(`${at}.code: found ${JSON.stringify(code)}, expected an active ISO 4217 currency`);
  const minor = (written: string, place: string): number => {
    const amount = Number(written) === 0 ? 0 : parseAmount(written, { code, decimals });
    if (amount === undefined) throw new ConfigurationError(`${at}.${place}: found ${JSON.stringify(written)}, expected an amount in major units of ${code}, with ${decimals} decimals at most and no more than ${majorUnits(LARGEST_AMOUNT, decimals)}`);
    return amount;
  };
  const offered: CurrencyOffer = {
    code, decimals,
    minimum: minor(minimum, 'minimum'), maximum: minor(maximum, 'maximum'),
    giftArray: giftArray.map(({ value, ...texts }, index) => ({ value: minor(value, `giftArray.${index}.value`), ...texts })),
    ...(costs && { costs: { basisPoints: Math.round(Number(costs.percent) * 100), fixed: minor(costs.fixed, 'costs.fixed') } }),
  };
  const { costs: rate } = offered;
  if (offered.maximum + (rate ? coveredCosts(offered.maximum, rate) : 0) > LARGEST_AMOUNT) throw new ConfigurationError(`${at}.maximum: found ${maximum}, expected at most ${majorUnits(LARGEST_AMOUNT, decimals)} with the costs that may be covered`);
  if (offered.minimum < 1 || offered.minimum > offered.maximum) throw new ConfigurationError(`${at}.minimum: found ${minimum}, expected more than 0 and no more than the maximum, ${maximum}`);
  offered.giftArray.forEach(({ value }, index) => {
    if (value < offered.minimum || value > offered.maximum) throw new ConfigurationError(`${at}.giftArray.${index}.value: found ${giftArray[index]?.value}, expected an amount from ${minimum} to ${maximum}`);
  });
  return offered;
}
