/** Package entry `donation-form/link`: builds, reads, and checks campaign links. */
export {
  buildLink,
  type CampaignLink,
  checkLink,
  type LinkCheck,
  readLink,
  type UnknownName,
} from '@donation-form/core/settings';
