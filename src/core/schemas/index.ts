export type { AddressFormat, CountryList } from './address-format.ts';
export {
  configuration,
  type Configuration,
  type FormConfiguration,
  type GoalConfiguration,
  type HttpRecorderConfiguration,
  type OrganizationConfiguration,
  type PaymentConfiguration,
  type PlatformWebhookConfiguration,
  type SecretName,
  type SiteWebhookConfiguration,
  type Words,
} from './configuration.ts';
export type { Action, DonateResponse, Outcome } from './donation-outcome.ts';
export { donationRequest, type DonationRequest } from './donation-request.ts';
export type {
  CurrencyOffer,
  CustomFieldOffer,
  FormDefinition,
  GiftOption,
  PaymentOffer,
  ProjectOffer,
} from './form-definition.ts';
export type { GoalProgress } from './goal-progress.ts';
export { ignoredSettings, type IgnoredSettings } from './ignored-settings.ts';
export { type ProblemCode, type ProblemDetails, PROBLEMS } from './problem.ts';
export type { PageSettings } from './settings.ts';
export { SITE_EVENTS, type SiteEvent, type SiteWebhookMessage } from './webhook-event.ts';
