export type { AlertConfiguration } from './alert-configuration.ts';
export type { AddressFormat, CountryList } from './address-format.ts';
export {
  configuration,
  type Configuration,
  type FormConfiguration,
  type GoalConfiguration,
  type HttpPlatformConfiguration,
  type OrganizationConfiguration,
  type InboundWebhookConfiguration,
  type OutboundWebhookConfiguration,
} from './configuration.ts';
export type { LocalizedText, SecretName } from './configuration-values.ts';
export type {
  PaymentAction,
  DonateResponse,
  DonationOutcome,
  ProjectSplit,
} from './donation-outcome.ts';
export { donationRequest, type DonationRequest } from './donation-request.ts';
export type {
  CurrencyOffer,
  CustomFieldOffer,
  FormDefinition,
  GiftOption,
  PaymentOffer,
  ProjectOffer,
} from './form-definition.ts';
export type { PaymentConfiguration } from './payment-configuration.ts';
export type { GoalProgress } from './goal-progress.ts';
export { settingsReport, type SettingsReport } from './settings-report.ts';
export { type ProblemCode, type ProblemDetails, PROBLEMS } from './problem.ts';
export type {
  PageAnalyticsTracking,
  PageDonorInfo,
  PageGift,
  PageGiftInfo,
  PageSettings,
} from './settings.ts';
export type {
  VirtuousCrmConfiguration,
  VirtuousRaiseConfiguration,
} from './virtuous-configuration.ts';
export {
  OUTBOUND_WEBHOOK_EVENTS,
  type OutboundWebhookEvent,
  type OutboundWebhookMessage,
} from './webhook-event.ts';
