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
export { findCardNumberControls } from './card-number-check.ts';
export { isVisibleCustomField, type VisibleCustomField } from './custom-fields.ts';
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
  type OptionalFieldError,
  toOptionalRequestFields,
  validateOptionalFields,
} from './optional-fields.ts';
export { getSelectedOffer, isOfflinePayment, PROVIDER_CONTROL } from './selected-offer.ts';
export { calculateSplit, isDonationSplit, type Split, type SplitPart } from './split.ts';
export { type OptionalRequestFields, toDonationRequest } from './to-donation-request.ts';
export { type FormError, validateForm } from './validation.ts';
