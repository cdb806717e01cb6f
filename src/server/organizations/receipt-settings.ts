import type { OrganizationConfiguration } from '@donation-form/core/schemas';
import { ConfigurationError } from '../lib/configuration-error.ts';

/** @throws {ConfigurationError} if only a part of what receipts need is configured. */
export function assertReceiptsAreValid(
  {
    receiptSender,
    receipts,
    mail,
  }: Pick<OrganizationConfiguration, 'receiptSender' | 'receipts' | 'mail'>,
  at: string,
): void {
  if (receiptSender === 'us' && !receipts)
    throw new ConfigurationError(
      `${at}.receipts: found nothing, but receiptSender is "us"; expected the settings of ` +
        'receipts. Add receipts, or choose another receiptSender.',
      { paths: [`${at}.receipts`, `${at}.receiptSender`] },
    );
  if (receipts && receiptSender !== 'us')
    throw new ConfigurationError(
      `${at}.receiptSender: found "${receiptSender}" and receipts, so donors would get two ` +
        'receipts or none; expected "us". Change receiptSender, or remove receipts.',
      { paths: [`${at}.receiptSender`, `${at}.receipts`] },
    );
  if (receipts && !mail)
    throw new ConfigurationError(
      `${at}.mail: found nothing, but the server sends receipts by mail; expected the settings of ` +
        'mail. Add mail, or remove receipts and choose another receiptSender.',
      { paths: [`${at}.mail`] },
    );
}
