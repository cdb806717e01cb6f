/** Maximum sizes in bytes. All custom fields add up to 150,000 bytes. */
export const MAX_DONATION_BYTES = 256 * 1024;
export const MAX_PAYMENT_WEBHOOK_BYTES = 512 * 1024;
export const MAX_PLATFORM_WEBHOOK_BYTES = 256 * 1024;
/** For ignored-settings reports and for confirm and cancel requests. */
export const MAX_REPORT_BYTES = 8 * 1024;
