import { findLanguage, type Language } from '@donation-form/core/i18n';
import type { MailKind } from '../../database/schema.ts';
import {
  createMailSample,
  createSampleReceiptDocument,
  MAIL_SAMPLES,
} from '../../mail/mail-samples.ts';
import { renderMail } from '../../mail/render-mail.ts';
import { renderReceiptHtml } from '../../receipts/render-receipt.ts';
import type { ActorContext } from '../access/actor-context.ts';
import { getOrganizationName, selectOrganization } from '../actions/organizations.ts';
import { renderMailPage } from '../views/mail.ts';
import { type AdminPageContext, createPageHeaders, FRAMING_PAGE_HEADERS } from './page-context.ts';
import type { PageRoutes } from './page-routes.ts';

/** The frame has no scripts, links, or requests. The page around it can read the frame's height. */
const PREVIEW_HEADERS = createPageHeaders(
  [
    'sandbox allow-same-origin',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    "form-action 'none'",
    "frame-ancestors 'self'",
    "base-uri 'none'",
  ].join('; '),
);

/** Adds the page with examples of the messages to donors. */
export function addMailPage(routes: PageRoutes): void {
  routes.addPage(
    '/mail',
    'totals:read',
    async (c, context) => {
      const { organization, ...sample } = readSelection(c, context);
      const content = await createMailSample(sample, organization, context.now());
      const { text } = await renderMail(content, organization.mail);
      return renderMailPage(
        { ...c.get('context'), organization: organization.id, page: '/mail' },
        {
          ...sample,
          text,
          subject: content.subject,
          organization: { id: organization.id, name: getOrganizationName(organization) },
          organizations: context.organizations.all.map(({ id, forms }) => ({
            id,
            name: getOrganizationName({ id, forms }),
          })),
          sender: organization.mail?.from.address,
          hasReceipt: organization.receipts !== undefined && sample.kind !== 'tribute',
        },
      );
    },
    FRAMING_PAGE_HEADERS,
  );

  routes.addRoute('GET', '/mail/preview', 'totals:read', async (c, context) => {
    const { organization, ...sample } = readSelection(c, context);
    const content = await createMailSample(sample, organization, context.now());
    const { html, attachments } = await renderMail(content, organization.mail);
    const [logo] = attachments;
    const page = logo
      ? html.replace(`cid:${logo.cid}`, `data:image/png;base64,${logo.content.toString('base64')}`)
      : html;
    return c.html(page, 200, PREVIEW_HEADERS);
  });

  routes.addRoute('GET', '/mail/receipt', 'totals:read', async (c, context) => {
    const { organization, language } = readSelection(c, context);
    if (!organization.receipts) return c.notFound();
    const document = await createSampleReceiptDocument(organization, language, context.now());
    const { content } = await renderReceiptHtml(document);
    return c.html(new TextDecoder().decode(content), 200, PREVIEW_HEADERS);
  });

  routes.addActionForm('/mail/test', 'mail.test', {
    readInput: (fields) => fields,
    formatOutput: ({ server }, { to }) => `${server} accepted the test for ${to}.`,
    getPage: ({ organization = '', kind = '', language = '' }) =>
      `/mail?${new URLSearchParams({ organization, kind, language }).toString()}`,
  });
}

function readSelection(c: AdminPageContext, context: ActorContext) {
  const { organization, kind = '', language = '' } = c.req.query();
  return {
    organization: selectOrganization(organization, context),
    kind: (Object.hasOwn(MAIL_SAMPLES, kind) ? kind : Object.keys(MAIL_SAMPLES)[0]) as MailKind,
    language: findLanguage(language) ?? ('en' satisfies Language),
  };
}
