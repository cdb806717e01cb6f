import { isReference } from '../../donations/reference.ts';
import type { AuditChange, AuditEvent } from '../../staff/audit-log.ts';
import { ALL_ORGANIZATIONS } from '../../staff/roles.ts';
import type { ActorContext } from '../access/actor-context.ts';
import { ACTION_ROUTES, type ActionName, type ActionRoute } from './action-routes.ts';

type OrganizationsContext = Pick<ActorContext, 'organizations' | 'repository'>;
type Fields = Readonly<Record<string, unknown>>;

/** Days, such as `2026-11-30`. */
const DAY = /^\d{4}-\d\d-\d\d$/;
/** Excludes names, emails, notes, and URLs, which can be donor data or contain secrets. */
const CODE = /^[\w:.*-]{1,64}$/;
const UUID = /^[0-9a-f-]{36}$/;

/** Fields of inputs and outputs that the audit log records if their values match. */
const AUDITED_FIELDS = new Map([
  ['from', DAY],
  ['to', DAY],
  ['year', CODE],
  ['startMonth', CODE],
  ['apply', CODE],
  ['kind', CODE],
  ['language', CODE],
  ['decision', CODE],
  ['corrected', CODE],
  ['voided', CODE],
  ['resolved', CODE],
  ['resent', CODE],
  ['retried', CODE],
]);

/** What these actions set, because their outputs are sentences. */
const NEW_STATES: Partial<Record<ActionName, Fields>> = {
  'organizations.pause': { paused: true },
  'organizations.resume': { paused: false },
  'mail.pause': { mailPaused: true },
  'mail.resume': { mailPaused: false },
  'mail.block': { blocked: true },
  'mail.unblock': { blocked: false },
};

/** True for actions that change something or export data, except those of a scheduler. */
export function isAudited(name: ActionName): boolean {
  const { isReadOnly, permission }: ActionRoute = ACTION_ROUTES[name];
  return name !== 'jobs.run' && (!isReadOnly || permission === 'records:export');
}

/** Describes an action before it runs, without donor data. */
export async function describeIntent(
  input: object,
  context: OrganizationsContext,
  name?: ActionName,
): Promise<Pick<AuditEvent, 'organization' | 'subject' | 'after'>> {
  const { reference, id } = input as Fields;
  return {
    organization: await findOrganization(input, context),
    subject: [reference, id].filter((value) => isIdentifier(value)).join(),
    after: describeInput(name, input),
  };
}

function describeInput(name: ActionName | undefined, input: object): Fields | undefined {
  if (name === undefined) return selectFields(input);
  const { permission }: ActionRoute = ACTION_ROUTES[name];
  const hasNoDonorData = permission === 'staff:manage' || name === 'backup';
  if (!hasNoDonorData) return selectFields(input, NEW_STATES[name]);
  const fields = Object.entries(input).filter(([field]) => field !== 'id');
  return fields.length > 0 ? Object.fromEntries(fields) : undefined;
}

/** Describes what an action changed. Outputs can have values `before` and `after` the change. */
export function describeChange(name: ActionName, input: object, output: object): AuditChange {
  const { before, after, decision } = output as Fields;
  if (before !== undefined || after !== undefined)
    return { before: before as object, after: after as object };
  const { from, to } = (decision ?? {}) as Fields;
  return {
    before: from === undefined ? undefined : { status: from },
    after: selectFields(output, {
      ...describeInput(name, input),
      ...(to !== undefined && { status: to }),
    }),
  };
}

async function findOrganization(
  input: object,
  { organizations, repository }: OrganizationsContext,
): Promise<string> {
  const { organization, reference, id } = input as Fields;
  const history =
    typeof reference === 'string'
      ? await repository.reviewDecisions.findDonationHistory(reference)
      : undefined;
  const [only, ...others] = organizations.all;
  return (
    history?.donation.organization ??
    organizations.find(String(organization ?? id))?.id ??
    (only && others.length === 0 && organization !== ALL_ORGANIZATIONS
      ? only.id
      : ALL_ORGANIZATIONS)
  );
}

/** True for references of donations, and for IDs of people and API tokens. */
function isIdentifier(value: unknown): boolean {
  return typeof value === 'string' && (isReference(value) || UUID.test(value));
}

/** Returns `undefined` if there are no values to record. */
function selectFields(values: object, others: Fields = {}): Fields | undefined {
  const selected = Object.entries(values).filter(([name, value]) => {
    const pattern = AUDITED_FIELDS.get(name);
    return pattern !== undefined && typeof value !== 'object' && pattern.test(String(value));
  });
  const fields = { ...Object.fromEntries(selected), ...others };
  return Object.keys(fields).length > 0 ? fields : undefined;
}
