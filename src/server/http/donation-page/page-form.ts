import { MAX_CONSENT_LENGTH } from '@donation-form/core/donor';
import {
  calculateTotals,
  convertStateToFormat,
  createFormState,
  findCountryCode,
  type FormState,
  type FormValues,
  getInitialOptionalValues,
  getSelectedOffer,
  isVisibleCustomField,
  mergeFormValues,
  PROVIDER_CONTROL,
  removeUnusedAddressFields,
  toDonationRequest,
  toOptionalRequestFields,
  type Totals,
} from '@donation-form/core/form-state';
import { getTextDirection, type Language } from '@donation-form/core/i18n';
import { createMoneyFormatter, removeCurrencySigns, toMajorUnits } from '@donation-form/core/money';
import type { DonationRequest, FormDefinition } from '@donation-form/core/schemas';
import {
  getSuggestedAmounts,
  isPersonalParameter,
  readParameters,
  readUrlAndLanding,
  resolveSettings,
} from '@donation-form/core/settings';
import type { Donation } from '../../database/schema.ts';
import { loadTexts } from '../../organizations/load-texts.ts';
import { readAddressFormat, readCountries } from '../routes/countries.ts';

/** The definition, the settings from the URL, and the donor's entries. */
export type PageForm = Awaited<ReturnType<typeof createPageForm>>;

/** Returns the payment providers that work without a script. */
export function listPaymentsWithoutScript({
  payments,
}: FormDefinition): FormDefinition['payments'][0][] {
  return payments.filter(({ hasField, hasHostedCheckout }) => hasHostedCheckout || !hasField);
}

/**
 * Applies the same rules as the `<donation-form>` element.
 * @param search query of the page's URL.
 * @param values the donor's entries, if the page was submitted.
 */
export async function createPageForm(
  definition: FormDefinition,
  language: Language,
  search: string,
  values?: FormValues,
) {
  const texts = await loadTexts(language, definition);
  const { decimalSeparator } = texts.form;
  const candidates = readUrlAndLanding(search, [], [], definition.urlAliases);
  const { settings } = resolveSettings(definition, candidates);
  const context = {
    definition,
    settings,
    decimalSeparator,
    removeCurrencySigns,
    initialOptionalValues: getInitialOptionalValues(definition, settings, decimalSeparator),
  };
  const entered = createFormState(context, values ? mergeFormValues(context, {}, values) : {});
  const { donor, shownDonor, addressFormat } = await resolveAddress(
    entered.donor,
    definition,
    language,
    values !== undefined,
  );
  const state = { ...entered, donor };
  const writeMoney = createMoneyFormatter(language, getTextDirection(language));
  return {
    context,
    state,
    /** Unlike `state.donor`, contains the donor's text even if no country or state matches it. */
    shownDonor,
    totals: calculateTotals(state, context),
    /** Set if the form asks for the country. */
    addressFormat,
    language,
    texts,
    /** Takes minor units, by default of the form's currency. */
    formatMoney: (minor: number, currency: string = settings.currency.code) =>
      writeMoney(
        minor,
        currency,
        definition.currencies.find(({ code }) => code === currency)?.decimals ?? 2,
      ),
  };
}

async function resolveAddress(
  donor: FormState['donor'],
  { donorFields }: FormDefinition,
  language: Language,
  isEntered: boolean,
) {
  if (!donorFields.some(({ name }) => name === 'country'))
    return { donor, shownDonor: donor, addressFormat: undefined };
  const countries = await readCountries();
  const findCode = (locale: string): string | undefined => {
    const names = new Intl.DisplayNames(locale, { type: 'region' });
    return findCountryCode(donor.country ?? '', countries, (code) => names.of(code) ?? code);
  };
  const country = findCode('en') ?? (isEntered ? findCode(language) : undefined) ?? '';
  const addressFormat = country === '' ? undefined : await readAddressFormat(country);
  const state = convertStateToFormat(donor.state ?? '', undefined, addressFormat);
  const resolved = {
    ...donor,
    ...(donor.country !== undefined && { country }),
    ...(donor.state !== undefined && { state }),
  };
  return {
    donor: resolved,
    shownDonor: {
      ...(isEntered ? donor : resolved),
      ...(country && { country: new Intl.DisplayNames(language, { type: 'region' }).of(country)! }),
    },
    addressFormat,
  };
}

export function listControls(definition: FormDefinition): string[] {
  const { donorFields, customFields, consents, giftAid } = definition;
  const { allowOrganizations, allowAnonymous, allowComment, allowTribute } = definition;
  return [
    'amount',
    'customAmount',
    'project',
    ...(allowTribute ? ['tribute.kind', 'tribute.name', 'tribute.notify', 'tribute.message'] : []),
    ...(allowOrganizations ? ['organization.enabled', 'organization.name'] : []),
    ...donorFields.map(({ name }) => name),
    ...(allowAnonymous ? ['gift.anonymous'] : []),
    ...customFields.filter(isVisibleCustomField).map(({ id }) => `custom.${id}`),
    ...(allowComment ? ['comment'] : []),
    ...(giftAid ? ['giftAid.declared', 'giftAid.scope', 'giftAid.house', 'giftAid.postcode'] : []),
    PROVIDER_CONTROL,
    'coverCosts',
    ...consents.map(({ id }) => `consent.${id}`),
  ];
}

/** Cuts each value at the longest limit. An unchecked checkbox is empty. */
export function readSubmittedValues(body: URLSearchParams, definition: FormDefinition): FormValues {
  return Object.fromEntries(
    listControls(definition).map((name) => [
      name,
      body.getAll(name).map((value) => value.replaceAll('\r\n', '\n').slice(0, MAX_CONSENT_LENGTH)),
    ]),
  );
}

/** Creates the element's request. The form must not have errors. */
export function createPageRequest(
  { context, state, language, addressFormat }: PageForm,
  totals: Totals,
  sent: { etag: string; page: URL; returnUrl: string | undefined; website: string },
): DonationRequest {
  const { etag, page, returnUrl, website } = sent;
  const { provider, hasHostedCheckout } = getSelectedOffer(state, context.definition);
  const request = toDonationRequest(
    { ...state, donor: removeUnusedAddressFields(state.donor, addressFormat) },
    totals,
    context,
    {
      optionalSettings: context.settings,
      optionalFields: toOptionalRequestFields(state, context, totals.amount),
      definition: etag,
      language,
      page,
    },
  );
  return {
    ...request,
    form: { ...request.form, ...(website && { website }) },
    payment: { provider, ...(hasHostedCheckout && returnUrl !== undefined && { returnUrl }) },
  };
}

/** Omits consents and the Gift Aid declaration, because donors must give them again. */
export function restoreFormValues(
  { payload }: Donation,
  { context: { settings, decimalSeparator }, state }: PageForm,
): FormValues {
  const { gift, donor, customFields = [], payment, decimals } = payload;
  const { organization, ...donorFields } = donor;
  const { giftArray } = getSuggestedAmounts(settings, state.frequency);
  const index = giftArray.findIndex(({ value }) => value === gift.amount);
  const typedAmount = toMajorUnits(gift.amount, decimals)
    .replace(/\.0+$/, '')
    .replace('.', decimalSeparator);
  const entries: [string, string | undefined][] = [
    ['amount', index < 0 ? 'custom' : String(index)],
    ['customAmount', index < 0 ? typedAmount : ''],
    ['project', gift.projects[0]?.id],
    ['payment.provider', payment.provider],
    ['coverCosts', gift.coverCosts ? 'true' : undefined],
    ['comment', gift.comment],
    ['gift.anonymous', gift.anonymous ? 'true' : undefined],
    ['tribute.kind', gift.tribute?.kind],
    ['tribute.name', gift.tribute?.name],
    ['tribute.notify', gift.tribute?.notifyEmail],
    ['tribute.message', gift.tribute?.message],
    ['organization.enabled', organization === undefined ? undefined : 'true'],
    ['organization.name', organization],
    ...Object.entries(donorFields),
    ...customFields.map(({ id, value }): [string, string] => [`custom.${id}`, value]),
  ];
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value === undefined ? [] : [value]]),
  );
}

/** Removes personal parameters, whose values the page's fields already contain. */
export function removePersonalParameters(search: string): string {
  return toSearch(readParameters(search).filter(([name]) => !isPersonalParameter(name)));
}

/** Replaces all parameters with the same name, regardless of case. */
export function setQueryParameter(search: string, name: string, value: string): string {
  const others = readParameters(search).filter(
    ([other]) => other.toLowerCase() !== name.toLowerCase(),
  );
  return toSearch([...others, [name, value]]);
}

const toSearch = (parameters: [string, string][]): string =>
  parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : '';
