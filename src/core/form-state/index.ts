export {
  type AddressError,
  convertStateToFormat,
  findCountryCode,
  findStateCode,
  getAddressRows,
  isAddressFieldRequired,
  removeUnusedAddressFields,
  formatHasField,
  validateAddress,
} from './address.ts';
export {
  type FieldError,
  type FieldFailure,
  getFieldFailureError,
  getFormErrorMessage,
  getOptionalErrorMessage,
  isFieldFailure,
} from './error-messages.ts';
export {
  type CheckboxField,
  type ChoiceField,
  describeAnonymity,
  describeConsents,
  describeCustomField,
  describeOrganization,
  describeTribute,
  type Field,
  type TextField,
} from './fields.ts';
export { findCardNumberControls } from './card-number-check.ts';
export { isVisibleCustomField } from './custom-fields.ts';
export {
  calculateAddedFee,
  calculateTotals,
  createFormState,
  type Edits,
  type FormContext,
  type FormState,
  getSelectedProject,
  isDonorFieldRequired,
  mergeFormValues,
  type Totals,
} from './form-state.ts';
export { type FormValues, getFirstControlValue, isControlChecked } from './form-values.ts';
export {
  getInitialOptionalValues,
  getTributeKind,
  toOptionalRequestFields,
  validateOptionalFields,
} from './optional-fields.ts';
export { getSelectedOffer, isOfflinePayment, PROVIDER_CONTROL } from './selected-offer.ts';
export { calculateSplit, isDonationSplit, type Split, type SplitPart } from './split.ts';
export { type OptionalRequestFields, toDonationRequest } from './to-donation-request.ts';
export { validateForm } from './validation.ts';
