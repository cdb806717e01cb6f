import type { Organization } from '../../organizations/organization.ts';
import { describeIssuer } from '../../receipts/create-receipt-document.ts';
import type { ReceiptDocument } from '../../receipts/receipt-document.ts';
import { createStatement } from '../../receipts/statement.ts';
import { listStatementLines, type StatementLine } from '../../receipts/statement-lines.ts';
import { getStatementPeriod, type StatementYear } from '../../receipts/statement-period.ts';
import { getReceiptTemplate } from '../../receipts/templates/index.ts';
import { getOrganizationName } from '../actions/organizations.ts';
import type { AdminContext } from '../admin-context.ts';
import { isInTestMode } from './income-cache.ts';

export interface Statement {
  readonly lines: readonly StatementLine[];
  readonly document: ReceiptDocument;
}

/** Returns `undefined` if no valid receipt confirms a donation by the donor in the year. */
export async function loadStatement(
  organization: Organization,
  { donorKey, ...year }: StatementYear & { readonly donorKey: string },
  context: Pick<AdminContext, 'database' | 'now'>,
): Promise<Statement | undefined> {
  const options = createStatementOptions(organization, year);
  const lines = await listStatementLines(context.database, donorKey, options);
  if (lines.length === 0) return undefined;
  return { lines, document: createStatement(lines, options.period, options, context.now()) };
}

/** Real donations count, or test donations if the organization is in test mode. */
export function createStatementOptions(organization: Organization, year: StatementYear) {
  const { id, timeZone, receipts } = organization;
  const name = getOrganizationName(organization);
  return {
    organization: id,
    period: getStatementPeriod(year, timeZone),
    isTest: isInTestMode(organization),
    paper: receipts && getReceiptTemplate(receipts.template).paper,
    issuer: receipts ? describeIssuer(receipts) : { name, addressLines: [], identifiers: [] },
    signature: name,
    timeZone,
  };
}
