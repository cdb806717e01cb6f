/**
 * Maximum size of a donation request in bytes. The limits of all custom fields add up to 150,000
 * bytes.
 */
export const MAX_DONATION_BYTES = 256 * 1024;
/** Maximum size of a payment provider's webhook. */
export const MAX_PAYMENT_WEBHOOK_BYTES = 512 * 1024;
/** Maximum size of a fundraising platform's webhook. */
export const MAX_PLATFORM_WEBHOOK_BYTES = 256 * 1024;
/** Maximum size of a report of ignored settings. */
export const MAX_REPORT_BYTES = 8 * 1024;
