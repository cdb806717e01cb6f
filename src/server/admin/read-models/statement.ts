import type { Organization } from '../../organizations/organization.ts';
import type { ReceiptDocument } from '../../receipts/receipt-document.ts';
import { createStatement, type StatementIssuer } from '../../receipts/statement.ts';
import { listStatementLines, type StatementLine } from '../../receipts/statement-lines.ts';
import { getStatementPeriod, type StatementYear } from '../../receipts/statement-period.ts';
import { getOrganizationName } from '../actions/organizations.ts';
import type { AdminContext } from '../admin-context.ts';
import { isInTestMode } from './income-cache.ts';

type StatementContext = Pick<AdminContext, 'database' | 'configuration' | 'now'>;

export interface Statement {
  readonly lines: readonly StatementLine[];
  readonly document: ReceiptDocument;
}

/** Returns `undefined` if no valid receipt confirms a donation by the donor in the year. */
export async function loadStatement(
  organization: Organization,
  { donorKey, ...year }: StatementYear & { readonly donorKey: string },
  context: StatementContext,
): Promise<Statement | undefined> {
  const options = createStatementOptions(organization, year, context);
  const lines = await listStatementLines(context.database, donorKey, options);
  if (lines.length === 0) return undefined;
  return { lines, document: createStatement(lines, options.period, options, context.now()) };
}

/** Real donations count, or test donations if the organization is in test mode. */
export function createStatementOptions(
  organization: Organization,
  year: StatementYear,
  { configuration }: Pick<StatementContext, 'configuration'>,
) {
  const { id, timeZone } = organization;
  const name = getOrganizationName(organization);
  const configured = configuration().organizations.find((one) => one.id === id)?.receipts;
  const issuer: StatementIssuer['issuer'] = configured?.issuer ?? { name, address: [] };
  return {
    organization: id,
    period: getStatementPeriod(year, timeZone),
    isTest: isInTestMode(organization),
    issuer,
    signature: name,
    timeZone,
  };
}
