import type { Kysely, Transaction } from 'kysely';
import type { GiftAidScope } from '@donation-form/core/donation';
import type { Database } from '../database/database.ts';
import type { Donation, GiftAidCancellationRow, Tables } from '../database/schema.ts';

export interface GiftAidDeclaration {
  /** Of the donation with the declaration. */
  readonly reference: string;
  readonly scope: GiftAidScope;
  readonly donorKey: string | null;
  readonly firstName: string;
  readonly lastName: string;
  readonly house: string;
  readonly postcode: string;
  /** Milliseconds since 1970. */
  readonly declaredAt: number;
  readonly cancellation: GiftAidCancellationRow | undefined;
}

/** Maximum number of values in a query. */
const BATCH_SIZE = 500;

/** Loads the declarations of these donations, and all others of the same donors. */
export async function loadDeclarations(
  db: Pick<Kysely<Tables>, 'selectFrom'>,
  donations: readonly Donation[],
): Promise<GiftAidDeclaration[]> {
  const byReference = new Map(donations.map((donation) => [donation.reference, donation]));
  for (const donation of await listDonationsOfSameDonors(db, donations))
    byReference.set(donation.reference, donation);
  const declared = [...byReference.values()].filter(({ payload }) => payload.giftAid);
  const cancellations = new Map<string, GiftAidCancellationRow>();
  for (let first = 0; first < declared.length; first += BATCH_SIZE) {
    const batch = declared.slice(first, first + BATCH_SIZE).map(({ reference }) => reference);
    const rows = await db
      .selectFrom('giftAidCancellations')
      .selectAll()
      .where('reference', 'in', batch)
      .execute();
    for (const row of rows) cancellations.set(row.reference, row);
  }
  return declared.map((donation) => toDeclaration(donation, cancellations.get(donation.reference)));
}

/** Returns no donations of donors without an email, or whose data has been deleted. */
export async function listDonationsOfSameDonors(
  db: Pick<Kysely<Tables>, 'selectFrom'>,
  donations: readonly Donation[],
): Promise<Donation[]> {
  const organization = donations[0]?.organization;
  const keys = [...new Set(donations.map(({ donorKey }) => donorKey ?? ''))].filter(
    (key) => key !== '',
  );
  const found: Donation[] = [];
  for (let first = 0; first < keys.length; first += BATCH_SIZE)
    found.push(
      ...(await db
        .selectFrom('donations')
        .selectAll()
        .where('organization', '=', organization!)
        .where('donorKey', 'in', keys.slice(first, first + BATCH_SIZE))
        .execute()),
    );
  return found;
}

function toDeclaration(
  { reference, payload, donorKey, createdAt }: Donation,
  cancellation: GiftAidCancellationRow | undefined,
): GiftAidDeclaration {
  const { scope, house, postcode } = payload.giftAid!;
  const { firstName = '', lastName = '' } = payload.donor;
  return {
    reference,
    scope,
    donorKey,
    firstName,
    lastName,
    house,
    postcode,
    declaredAt: createdAt,
    cancellation,
  };
}

/** Two people can share an email, so their names must be the same, too. */
export function isSamePerson(
  declaration: Pick<GiftAidDeclaration, 'donorKey' | 'firstName' | 'lastName'>,
  { donorKey, payload: { donor } }: Donation,
): boolean {
  const { firstName = '', lastName = '' } = donor;
  const fold = (...names: string[]): string => names.join(' ').normalize('NFKC').toLowerCase();
  return (
    Boolean(donorKey) &&
    donorKey === declaration.donorKey &&
    fold(firstName, lastName) === fold(declaration.firstName, declaration.lastName)
  );
}

/**
 * Cancels all declarations that the donor has made, because each of them could cover later
 * donations. An earlier day replaces a later one.
 * @returns the references of the donations with these declarations, none if all were canceled from
 *   that day on.
 */
export function cancelDeclarations(
  { writer }: Database,
  donation: Donation,
  cancellation: Omit<GiftAidCancellationRow, 'reference'>,
): Promise<string[]> {
  const { canceledFrom } = cancellation;
  return writer.write(async (transaction) => {
    const declarations = await loadDeclarations(transaction, [donation]);
    const open = declarations.filter(
      (declaration) =>
        !(declaration.cancellation && declaration.cancellation.canceledFrom <= canceledFrom) &&
        (declaration.reference === donation.reference || isSamePerson(declaration, donation)),
    );
    for (const { reference } of open)
      await saveCancellation(transaction, { reference, ...cancellation });
    return open.map(({ reference }) => reference);
  });
}

async function saveCancellation(
  transaction: Transaction<Tables>,
  row: GiftAidCancellationRow,
): Promise<void> {
  await transaction
    .insertInto('giftAidCancellations')
    .values(row)
    .onConflict((conflict) => conflict.column('reference').doUpdateSet(row))
    .execute();
}
