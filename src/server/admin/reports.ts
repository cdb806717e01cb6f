import { Readable } from 'node:stream';
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { isEmail } from '@donation-form/core/donor';
import type { Logger } from '../lib/logger.ts';
import type { FormRegistry } from '../donations/form-registry.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import type { Organization } from '../organizations/organization.ts';
import { DonorRequests } from '../privacy/donor-requests.ts';
import { iterateExportLines } from '../reporting/export-rows.ts';
import { parsePeriod } from '../lib/period.ts';
import { reconcileAndReport } from '../reporting/reconcile.ts';
import type { Database } from '../database/database.ts';
import { formatIssuesOnOneLine, nameSchema } from './command-schemas.ts';
import { formatUnknownOrganization } from './organizations.ts';

export interface ReportRoutesOptions {
  readonly database: Database;
  readonly repository: DonationRepository;
  readonly formRegistry: FormRegistry;
  readonly log: Logger;
  readonly now: () => number;
}

/** Error for a command that the server rejects. The response contains the message. */
class CommandRejectedError extends Error {}

const shortTextSchema = z.string().min(1).max(200);
const organizationFields = { organization: shortTextSchema.optional() };
const periodFields = { from: shortTextSchema, to: shortTextSchema };
const reconciliationSchema = z.strictObject({
  ...organizationFields,
  ...periodFields,
  apply: z.boolean().default(false),
  includeRows: z.boolean().default(false),
});
const donationExportSchema = z.strictObject({ ...organizationFields, ...periodFields });
const emailSchema = z.string().refine(isEmail, 'expected an email address');
const donorExportSchema = z.strictObject({ ...organizationFields, email: emailSchema });
const donorDeletionSchema = z.strictObject({
  ...organizationFields,
  email: emailSchema,
  by: nameSchema,
});
const backupSchema = z.strictObject({ file: z.string().min(1).max(1_000) });

/**
 * Creates the routes for reconciliation, exports, donor requests, and backups. All routes use POST
 * to keep email addresses out of URLs. Long responses are streams of JSON Lines.
 */
export function createReportRoutes({
  database,
  repository,
  formRegistry,
  log,
  now,
}: ReportRoutesOptions): Hono {
  const app = new Hono();
  const donorRequests = new DonorRequests({ database, log, now });
  const findOrganization = (id: string | undefined): Organization => {
    if (id !== undefined) {
      const organization = formRegistry.findOrganization(id);
      if (organization) return organization;
      throw new CommandRejectedError(formatUnknownOrganization(id, formRegistry));
    }
    const [onlyOrganization, ...others] = formRegistry.organizations;
    if (onlyOrganization && others.length === 0) return onlyOrganization;
    const ids = formRegistry.organizations.map((organization) => organization.id).join(', ');
    throw new CommandRejectedError(
      `The server has several organizations. Specify one with --organization: ${ids}.`,
    );
  };

  app.post('/reconciliation', async (c) => {
    const {
      organization: id,
      from,
      to,
      ...options
    } = await parseReportCommand(c, reconciliationSchema);
    const organization = findOrganization(id);
    const donations = formRegistry.findDonationService(organization.id)!;
    return streamJsonLines(
      reconcileAndReport(
        { ...options, period: parsePeriod(from, to, organization.timeZone) },
        { organization, donations, repository, database, log, now },
      ),
      log,
    );
  });
  app.post('/donations/export', async (c) => {
    const { organization: id, from, to } = await parseReportCommand(c, donationExportSchema);
    const organization = findOrganization(id);
    return streamJsonLines(
      iterateExportLines(
        database.db,
        organization.id,
        parsePeriod(from, to, organization.timeZone),
        organization.timeZone,
      ),
      log,
    );
  });
  app.post('/donors/export', async (c) => {
    const { organization: id, email } = await parseReportCommand(c, donorExportSchema);
    return c.json(await donorRequests.exportDonor(findOrganization(id).id, email));
  });
  app.post('/donors/delete', async (c) => {
    const { organization: id, email, by } = await parseReportCommand(c, donorDeletionSchema);
    return c.json(await donorRequests.deleteDonor(findOrganization(id).id, email, by));
  });
  app.post('/backup', async (c) => {
    const { file } = await parseReportCommand(c, backupSchema);
    if (!database.copy)
      throw new CommandRejectedError(
        'This command does not back up PostgreSQL databases. Use pg_dump or WAL archiving, as ' +
          'described in docs/server/backups.md.',
      );
    return c.json(
      await database.copy(file).catch((error: unknown) => {
        throw new CommandRejectedError((error as Error).message, { cause: error });
      }),
    );
  });

  app.onError((error, c) => {
    if (error instanceof CommandRejectedError || error instanceof RangeError)
      return c.json({ message: error.message }, 400);
    log.error(toLogFields(error), 'admin command failed');
    return c.json({ message: 'An unexpected error occurred. See the server log.' }, 500);
  });
  return app;
}

/** Parses the request body of a command. @throws {CommandRejectedError} if the body is invalid. */
async function parseReportCommand<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  const { data, error } = schema.safeParse(await c.req.json().catch(() => undefined));
  if (error) throw new CommandRejectedError(formatIssuesOnOneLine(error));
  return data;
}

/**
 * Streams objects as JSON Lines. If an error ends the stream, the last line has the kind `aborted`.
 */
function streamJsonLines(lines: AsyncIterable<object>, log: Logger): Response {
  const encodeLines = async function* encodeLines(): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder();
    try {
      for await (const line of lines) yield encoder.encode(`${JSON.stringify(line)}\n`);
    } catch (error) {
      log.error(toLogFields(error as Error), 'report aborted');
      yield encoder.encode(`${JSON.stringify({ kind: 'aborted' })}\n`);
    }
  };
  return new Response(Readable.toWeb(Readable.from(encodeLines())) as ReadableStream, {
    headers: { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' },
  });
}

/** Converts an error to log fields. Omits the message, which can contain donor data. */
function toLogFields({ name, stack }: Error): object {
  const frames = stack?.split('\n').filter((line) => /^ {4}at /.test(line));
  return { error: name, at: frames?.join('\n') };
}
