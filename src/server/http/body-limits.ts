/** The largest body of a donation, in bytes: all custom fields full are 150,000. */
export const LARGEST_BODY = 256 * 1024;
/** The largest webhook of a payment provider, in bytes. */
export const LARGEST_WEBHOOK = 512 * 1024;
/** The largest webhook of a fundraising platform, in bytes. */
export const LARGEST_PLATFORM_WEBHOOK = 256 * 1024;
/** The largest report of ignored settings, in bytes. */
export const LARGEST_REPORT = 8 * 1024;
