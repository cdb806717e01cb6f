import { Readable } from 'node:stream';
import { Hono, type Context } from 'hono';
import { z } from 'zod';
import { isEmail } from '@donation-form/core/donor';
import type { Logger } from '../lib/logger.ts';
import type { FormRegistry } from '../donations/form-registry.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import type { Organization } from '../organizations/organization.ts';
import { Donors } from '../privacy/donor-requests.ts';
import { exportGifts } from '../reporting/export-rows.ts';
import { periodOf } from '../lib/period.ts';
import { reconcile } from '../reporting/reconcile.ts';
import type { Database } from '../database/database.ts';
import { faultOf, name } from './command-schemas.ts';

export interface RecordsOptions {
  readonly store: Database;
  readonly repository: DonationRepository;
  readonly formRegistry: FormRegistry;
  readonly log: Logger;
  readonly now: () => number;
}

/** What a command asks for and the server cannot do; the message says what to do. */
class Refused extends Error {}

const some = z.string().min(1).max(200);
const ofOrganization = { organization: some.optional() };
const inPeriod = { from: some, to: some };
const reconciliation = z.strictObject({
  ...ofOrganization,
  ...inPeriod,
  takes: z.boolean().default(false),
  hasRows: z.boolean().default(false),
});
const giftsExport = z.strictObject({ ...ofOrganization, ...inPeriod });
const email = z.string().refine(isEmail, 'expected an e-mail address');
const donorExport = z.strictObject({ ...ofOrganization, email });
const donorDeletion = z.strictObject({ ...ofOrganization, email, by: name });
const backup = z.strictObject({ file: z.string().min(1).max(1_000) });

/**
 * Reports, exports, donors' wishes and copies. Everything is asked by POST, so that no address
 * stands in a URL. Long answers are lines of JSON, made as they are read.
 */
export function recordRoutes({ store, repository, formRegistry, log, now }: RecordsOptions): Hono {
  const app = new Hono();
  const donors = new Donors({ store, log, now });
  const organizationOf = (id: string | undefined): Organization => {
    const ids = formRegistry.organizations.map((organization) => organization.id).join(', ');
    if (id !== undefined) {
      const found = formRegistry.organization(id);
      if (!found) throw new Refused(`--organization is '${id}'; expected one of ${ids}.`);
      return found;
    }
    const [only, second] = formRegistry.organizations;
    if (!only || second)
      throw new Refused(`There are several organisations: add --organization with one of ${ids}.`);
    return only;
  };

  app.post('/reconciliation', async (c) => {
    const { organization: id, from, to, ...order } = await readOrder(c, reconciliation);
    const organization = organizationOf(id);
    const donations = formRegistry.serviceOf(organization.id)!;
    return inLines(
      reconcile(
        { ...order, period: periodOf(from, to, organization.timeZone) },
        { organization, donations, repository, store, log, now },
      ),
      log,
    );
  });
  app.post('/gifts', async (c) => {
    const { organization: id, from, to } = await readOrder(c, giftsExport);
    const organization = organizationOf(id);
    return inLines(
      exportGifts(
        store.db,
        organization.id,
        periodOf(from, to, organization.timeZone),
        organization.timeZone,
      ),
      log,
    );
  });
  app.post('/donor', async (c) => {
    const { organization: id, email: address } = await readOrder(c, donorExport);
    return c.json(await donors.export(organizationOf(id).id, address));
  });
  app.post('/donor/deletion', async (c) => {
    const { organization: id, email: address, by } = await readOrder(c, donorDeletion);
    return c.json(await donors.delete(organizationOf(id).id, address, by));
  });
  app.post('/backup', async (c) => {
    const { file } = await readOrder(c, backup);
    if (!store.copy)
      throw new Refused(
        'The store is PostgreSQL, which has its own means: pg_dump, and archiving for a point in time. docs/records.md shows both.',
      );
    return c.json(
      await store.copy(file).catch((error: unknown) => {
        throw new Refused((error as Error).message, { cause: error });
      }),
    );
  });

  app.onError((error, c) => {
    if (error instanceof Refused || error instanceof RangeError)
      return c.json({ message: error.message }, 400);
    log.error(
      {
        error: error.name,
        at: error.stack
          ?.split('\n')
          .filter((line) => /^ {4}at /.test(line))
          .join('\n'),
      },
      'an order of the operator failed',
    );
    return c.json({ message: 'The server failed; its log says more.' }, 500);
  });
  return app;
}

/** @throws {Refused} where the body is none. */
async function readOrder<Shape extends z.ZodType>(
  c: Context,
  shape: Shape,
): Promise<z.output<Shape>> {
  const { data, error } = shape.safeParse(await c.req.json().catch(() => undefined));
  if (error) throw new Refused(faultOf(error));
  return data;
}

/** Lines of JSON. One that fails half-way ends without the line of the end, and says so. */
function inLines(lines: AsyncIterable<object>, log: Logger): Response {
  const text = async function* text(): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder();
    try {
      for await (const line of lines) yield encoder.encode(`${JSON.stringify(line)}\n`);
    } catch (error) {
      log.error(
        {
          error: (error as Error).name,
          at: (error as Error).stack
            ?.split('\n')
            .filter((line) => /^ {4}at /.test(line))
            .join('\n'),
        },
        'a report broke off',
      );
      yield encoder.encode(`${JSON.stringify({ kind: 'broken' })}\n`);
    }
  };
  return new Response(Readable.toWeb(Readable.from(text())) as ReadableStream, {
    headers: { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' },
  });
}
