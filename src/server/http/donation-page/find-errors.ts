import { ADDRESS_FIELDS } from '@donation-form/core/donor';
import {
  type AddressError,
  type FieldError,
  findCardNumberControls,
  type FormValues,
  getFormErrorMessage,
  getOptionalErrorMessage,
  validateAddress,
  validateForm,
  validateOptionalFields,
} from '@donation-form/core/form-state';
import { fillPlaceholders } from '@donation-form/core/i18n';
import { listControls, type PageForm } from './page-form.ts';

/** In display order, at most one error per control. */
export function findErrors(form: PageForm, values: FormValues): FieldError[] {
  const { state, context, texts, addressFormat, formatMoney } = form;
  const { definition } = context;
  const asksForCountry = definition.donorFields.some(({ name }) => name === 'country');
  const isAddress = (control: string): boolean =>
    control === 'country' || ADDRESS_FIELDS.some((name) => name === control);
  const describe =
    <Found extends { readonly control: string }>(getMessage: (found: Found) => string) =>
    (found: Found): FieldError => ({ control: found.control, message: getMessage(found) });
  const errors = [
    ...(isAmountAmbiguous(form, values)
      ? [{ control: 'amount', message: texts.submission.amountRequired }]
      : []),
    ...validateForm(state, context)
      .filter(({ control }) => !asksForCountry || !isAddress(control))
      .map(describe((error) => getFormErrorMessage(error, context, formatMoney, texts.submission))),
    ...(asksForCountry
      ? validateAddress(state.donor, addressFormat, definition.donorFields).map(
          describe((error) => getAddressErrorMessage(error, form)),
        )
      : []),
    ...validateOptionalFields(state, context).map(
      describe((error) => getOptionalErrorMessage(error, form, formatMoney, texts)),
    ),
    ...findCardNumberControls(state, context).map((control) => ({
      control,
      message: texts.submission.cardNumberDetected,
    })),
    ...(asksForCountry && state.donor.country === '' && form.shownDonor.country
      ? [{ control: 'country', message: texts.submission.required.country }]
      : []),
  ];
  const controls = listControls(definition);
  return errors
    .filter(({ control }, index) => errors.findIndex((one) => one.control === control) === index)
    .sort((a, b) => controls.indexOf(a.control) - controls.indexOf(b.control));
}

/** Without a script, the page cannot tell which of two amounts the donor chose last. */
function isAmountAmbiguous({ context, state }: PageForm, values: FormValues): boolean {
  const choice = values.amount?.[0];
  const { amount, giftArray } =
    context.settings.suggestedByFrequency[state.frequency] ?? context.settings;
  const option = giftArray[Number(choice)];
  return (
    state.amountChoice === 'custom' &&
    choice !== undefined &&
    choice !== 'custom' &&
    option !== undefined &&
    option.value !== amount
  );
}

function getAddressErrorMessage(
  { control, code }: AddressError,
  { texts: { form, submission, address }, addressFormat }: PageForm,
): string {
  if (code === 'missing') return submission.required[control];
  return fillPlaceholders(address.postalCodeInvalid, {
    field: form.fields[control],
    example: addressFormat?.postal?.example,
  });
}
