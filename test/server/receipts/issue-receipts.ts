/** Program of the tests with kills: accepts donations and issues their receipts until it is killed. */
import { pino } from 'pino';
import { buildForms } from '../../../src/server/config/validate-configuration.ts';
import { openPostgres } from '../../../src/server/database/postgres-database.ts';
import { openSqliteFile } from '../../../src/server/database/sqlite-database.ts';
import { DonationRepository } from '../../../src/server/donations/donation-repository.ts';
import type { Organization } from '../../../src/server/organizations/organization.ts';
import { ReceiptIssuer } from '../../../src/server/receipts/receipt-issuer.ts';
import { renderReceiptHtml } from '../../../src/server/receipts/render-receipt.ts';
import { addDonation } from '../reporting/add-donation.ts';
import { configuration } from '../support.ts';
import { neutralReceipts } from './support.ts';

/** Opens an issuer on an SQLite file or a PostgreSQL URL. */
export async function openIssuer(location: string) {
  const database = location.includes('://')
    ? await openPostgres(location)
    : await openSqliteFile(location);
  const receipts = new ReceiptIssuer({
    database,
    now: Date.now,
    log: pino({ level: 'silent' }),
    hasBackgroundJobs: false,
    onChange: () => undefined,
    renderer: { render: renderReceiptHtml },
  });
  const organization: Partial<Organization> = {
    id: 'lanternwell',
    timeZone: 'UTC',
    forms: buildForms(configuration)[0]!,
    receipts: neutralReceipts,
  };
  receipts.replaceOrganizations([organization as Organization]);
  return { database, receipts, repository: new DonationRepository(database, { receipts }) };
}

if (import.meta.main) {
  const { receipts, repository } = await openIssuer(process.argv[2]!);
  for (;;) {
    await Promise.all(Array.from({ length: 3 }, () => addDonation(repository)));
    await receipts.issueDueReceipts(AbortSignal.timeout(60_000));
    process.stdout.write('issued\n');
  }
}
