import { receiptListSchema } from '../actions/input-schemas.ts';
import { getOrganizationName, selectOrganization } from '../actions/organizations.ts';
import { loadReceiptList } from '../read-models/receipt-list.ts';
import { renderReceiptsPage } from '../views/receipts.ts';
import type { PageRoutes } from './page-routes.ts';
import {
  exportReceipts,
  sendReceipt,
  sendReceiptArchive,
  sendStatement,
  sendStatementArchive,
} from './receipt-downloads.ts';

/** Adds the list of receipts, their downloads, and the forms on a donation's page. */
export function addReceiptPages(routes: PageRoutes): void {
  addReceiptListPage(routes);
  addReceiptForms(routes);
  for (const [path, action, send] of [
    ['/receipts/export', 'receipts.export', exportReceipts],
    ['/receipts/archive', 'receipts.download', sendReceiptArchive],
    ['/statements/archive', 'statements.download', sendStatementArchive],
  ] as const)
    routes.addDownload(path, 'records:export', action, async (c, context) =>
      send(c.req.query(), context),
    );
  routes.addDownload(
    '/donations/:reference/receipts/:number',
    'receipts:read',
    'receipts.download',
    (c, context) =>
      sendReceipt(c.req.param('reference') ?? '', c.req.param('number') ?? '', context),
  );
  routes.addDownload(
    '/donations/:reference/statement',
    'receipts:read',
    'statements.show',
    (c, context) => sendStatement(c.req.param('reference') ?? '', c.req.query(), context),
  );
}

function addReceiptListPage(routes: PageRoutes): void {
  routes.addPage('/receipts', 'receipts:read', async (c, context) => {
    const parameters = c.req.query();
    const organization = selectOrganization(parameters.organization, context);
    const { data: query } = receiptListSchema.safeParse(parameters);
    const { before } = parameters;
    const list = await loadReceiptList(organization, { ...query, before }, context);
    return renderReceiptsPage(
      { ...c.get('context'), organization: organization.id, page: '/receipts' },
      {
        list,
        organizationName: getOrganizationName(organization),
        organizations: context.organizations.all.map((one) => ({
          id: one.id,
          name: getOrganizationName(one),
        })),
      },
    );
  });
}

function addReceiptForms(routes: PageRoutes): void {
  routes.addActionForm('/donations/:reference/correct-receipt', 'receipts.correct', {
    readInput: ({ name = '', address = '', note = '' }, by) => ({
      name,
      addressLines: address.split('\n').filter((line) => line.trim() !== ''),
      note,
      by,
    }),
    formatOutput: ({ corrected }) =>
      `The server will replace receipt ${corrected} within a minute.`,
  });
  routes.addActionForm('/donations/:reference/void-receipt', 'receipts.void', {
    formatOutput: ({ voided }) => `Receipt ${voided} is void.`,
  });
}
