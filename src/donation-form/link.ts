/** Campaign links: builds, reads, and checks them without the form itself. */
export {
  buildLink,
  type CampaignLink,
  checkLink,
  type LinkCheck,
  readLink,
  type UnknownName,
} from '@donation-form/core/settings';
