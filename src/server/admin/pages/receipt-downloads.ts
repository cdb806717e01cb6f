import type { z } from 'zod';
import { streamReceiptArchive } from '../../receipts/receipt-archive.ts';
import { FILE_EXTENSIONS, findReceiptFile } from '../../receipts/receipt-file.ts';
import { listReceiptsAbout } from '../../receipts/receipt-list.ts';
import { formatReceiptNumber, getReceiptNumber } from '../../receipts/receipt-number.ts';
import {
  iterateReceiptRows,
  RECEIPT_COLUMNS,
  RECEIPT_NUMBER_COLUMNS,
} from '../../receipts/receipt-rows.ts';
import type { RenderedReceipt } from '../../receipts/render-receipt.ts';
import { streamStatementArchive } from '../../receipts/statement-archive.ts';
import { formatStatementYear } from '../../receipts/statement-period.ts';
import type { ActorContext } from '../access/actor-context.ts';
import { ActionError, formatIssuesOnOneLine } from '../actions/action-error.ts';
import { receiptExportSchema, statementYearSchema } from '../actions/input-schemas.ts';
import { findRequestedOrganization } from '../actions/organizations.ts';
import { createStatementOptions, loadStatement } from '../read-models/statement.ts';
import { sendCsv, sendDownload } from './send-download.ts';

type Parameters = Readonly<Record<string, string>>;

/** Even if a browser shows the document, nothing in it may act as the admin pages do. */
const DOCUMENT_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'";

/** @throws {ActionError} if a parameter is invalid. */
function parseParameters<Schema extends z.ZodType>(schema: Schema, parameters: Parameters) {
  const { data, error } = schema.safeParse(parameters);
  if (error) throw new ActionError(400, formatIssuesOnOneLine(error));
  return data;
}

/** Sends the list of a year's receipts as CSV. */
export function exportReceipts(parameters: Parameters, context: ActorContext): Response {
  const { year } = parseParameters(receiptExportSchema, parameters);
  const { id } = findRequestedOrganization(parameters.organization, context);
  const rows = iterateReceiptRows(context.database.db, id, year);
  const options = { columns: RECEIPT_COLUMNS, numberColumns: RECEIPT_NUMBER_COLUMNS };
  return sendCsv(rows, `receipts-${id}-${year}.csv`, options, context.log);
}

/** Sends the files of a year's receipts as a zip. */
export async function sendReceiptArchive(
  parameters: Parameters,
  context: ActorContext,
): Promise<Response> {
  const { year } = parseParameters(receiptExportSchema, parameters);
  const { id } = findRequestedOrganization(parameters.organization, context);
  const stream = await streamReceiptArchive(context.database.db, {
    organization: id,
    year,
    now: context.now(),
  });
  const name = `receipts-${id}-${year}.zip`;
  return sendDownload(stream, { name, mediaType: 'application/zip' }, context.log);
}

/** Sends the statements of all donors of a year as a zip. */
export async function sendStatementArchive(
  { organization: id, ...parameters }: Parameters,
  context: ActorContext,
): Promise<Response> {
  const statementYear = parseParameters(statementYearSchema, parameters);
  const organization = findRequestedOrganization(id, context);
  const stream = await streamStatementArchive(context.database, {
    ...createStatementOptions(organization, statementYear),
    statementYear,
    render: (document) => context.receiptRenderer.render(document, organization.receipts),
    now: context.now(),
  });
  const name = `statements-${organization.id}-${formatStatementYear(statementYear)}.zip`;
  return sendDownload(stream, { name, mediaType: 'application/zip' }, context.log);
}

/** Sends the statement of a donation's donor. */
export async function sendStatement(
  reference: string,
  parameters: Parameters,
  context: ActorContext,
): Promise<Response> {
  const year = parseParameters(statementYearSchema, parameters);
  const history = await context.repository.reviewDecisions.findDonationHistory(reference);
  const donation = history?.donation;
  const organization = context.organizations.find(donation?.organization ?? '');
  const donorKey = donation?.donorKey ?? '';
  const statement =
    organization && donorKey !== ''
      ? await loadStatement(organization, { donorKey, ...year }, context)
      : undefined;
  if (!statement)
    throw new ActionError(404, 'No valid receipt confirms a donation by this donor in this year.');
  const file = await context.receiptRenderer.render(statement.document, organization?.receipts);
  return sendDocument(file, `statement-${formatStatementYear(year)}-${reference}`);
}

/** Sends a receipt as it was issued. */
export async function sendReceipt(
  reference: string,
  number: string,
  { database: { db }, isPermitted }: ActorContext,
): Promise<Response> {
  const receipt = (await listReceiptsAbout(db, [reference])).find((candidate) => {
    const found = getReceiptNumber(candidate);
    return found && formatReceiptNumber(found) === number && isPermitted(candidate.organization);
  });
  const file = receipt && (await findReceiptFile(db, receipt.id));
  if (file) return sendDocument(file, number);
  throw new ActionError(
    404,
    receipt
      ? `The file of receipt ${number} was deleted with the donor’s data.`
      : `${reference} has no receipt with this number. Open the donation to see its receipts.`,
  );
}

function sendDocument({ mediaType, content }: RenderedReceipt, name: string): Response {
  return new Response(new Uint8Array(content), {
    headers: {
      'Content-Type': mediaType === 'text/html' ? 'text/html; charset=utf-8' : mediaType,
      'Content-Disposition': `attachment; filename="${name}.${FILE_EXTENSIONS[mediaType]}"`,
      'Content-Security-Policy': DOCUMENT_POLICY,
    },
  });
}
