/**
 * Program of the tests with kills: accepts donations, issues, voids, corrects, and replaces their
 * receipts, and refunds a donation during that, until it is killed.
 */
import { pino } from 'pino';
import { loadConfiguration } from '../../../src/server/config/load-configuration.ts';
import { buildForms } from '../../../src/server/config/validate-configuration.ts';
import { openPostgres } from '../../../src/server/database/postgres-database.ts';
import { openSqliteFile } from '../../../src/server/database/sqlite-database.ts';
import { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import { MailSender } from '../../../src/server/mail/mail-sender.ts';
import type { Organization } from '../../../src/server/organizations/organization.ts';
import { requestCorrection, voidReceipt } from '../../../src/server/receipts/receipt-changes.ts';
import { ReceiptIssuer } from '../../../src/server/receipts/receipt-issuer.ts';
import { renderReceiptHtml } from '../../../src/server/receipts/render-receipt.ts';
import { addDonation, addEvent } from '../reporting/add-donation.ts';
import { neutralReceipts } from './support.ts';

/** Opens an issuer on an SQLite file or a PostgreSQL URL. */
export async function openIssuer(location: string) {
  const database = location.includes('://')
    ? await openPostgres(location)
    : await openSqliteFile(location);
  const base = {
    database,
    now: Date.now,
    log: pino({ level: 'silent' }),
    hasBackgroundJobs: false,
  };
  const { receiptMessages: notifier } = new MailSender(base);
  const receipts = new ReceiptIssuer({
    ...base,
    notifier,
    onChange: () => undefined,
    renderer: { render: renderReceiptHtml },
  });
  const organization: Partial<Organization> = {
    id: 'lanternwell',
    timeZone: 'UTC',
    forms: buildForms(await loadConfiguration('demo/donation-form.config.json'))[0]!,
    receipts: neutralReceipts,
  };
  receipts.replaceOrganizations([organization as Organization]);
  return {
    database,
    notifier,
    receipts,
    repository: new DonationRepository(database, { receipts }),
  };
}

if (import.meta.main) {
  const { database, notifier, receipts, repository } = await openIssuer(process.argv[2]!);
  const issue = (): Promise<void> => receipts.issueDueReceipts(AbortSignal.timeout(60_000));
  const refund = (reference: string): Promise<void> =>
    addEvent(repository, reference, 'refund', { at: Date.now(), amount: 1_000 });
  const by = 'Maria';
  for (;;) {
    const references = await Promise.all(Array.from({ length: 4 }, () => addDonation(repository)));
    const [refunded, corrected, voided, replaced] = references as [string, string, string, string];
    await Promise.all([issue(), refund(refunded)]);
    await issue();
    const donor = { name: 'Ana Souza', addressLines: [] };
    await Promise.all([
      requestCorrection(database, { reference: corrected, donor, by, note: '' }),
      ...[voided, replaced].map((reference) =>
        voidReceipt(database, { reference, by, reason: 'typo' }, notifier),
      ),
    ]);
    await Promise.all([issue(), refund(replaced)]);
    await issue();
    process.stdout.write('issued\n');
  }
}
