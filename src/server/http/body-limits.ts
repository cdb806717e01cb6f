/**
 * Maximum size of a donation request in bytes. The maximum sizes of all custom fields add up to
 * 150,000 bytes.
 */
export const MAX_DONATION_BYTES = 256 * 1024;
/** Maximum size of a payment provider's webhook in bytes. */
export const MAX_PAYMENT_WEBHOOK_BYTES = 512 * 1024;
/** Maximum size of a fundraising platform's webhook in bytes. */
export const MAX_PLATFORM_WEBHOOK_BYTES = 256 * 1024;
/** Maximum size in bytes of an ignored-settings report, a confirm request, or a cancel request. */
export const MAX_REPORT_BYTES = 8 * 1024;
