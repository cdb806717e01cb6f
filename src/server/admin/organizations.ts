import { Hono } from 'hono';
import type { FormRegistry } from '../donations/form-registry.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import type { Organization } from '../organizations/organization.ts';
import { formatIssuesOnOneLine, pauseSchema } from './command-schemas.ts';

/** An organization, the IDs of its forms, and its current pause. */
export interface OrganizationSummary {
  readonly id: string;
  readonly name: string;
  readonly forms: readonly string[];
  /** The pause, or `null` if the organization accepts donations. `at` is ISO 8601. */
  readonly paused: { readonly at: string; readonly by: string; readonly note: string } | null;
}

export interface OrganizationRoutesOptions {
  readonly repository: DonationRepository;
  readonly formRegistry: FormRegistry;
}

/** Returns the English name that donors see, or the ID of an organization without forms. */
export function getOrganizationName({ id, forms }: Pick<Organization, 'id' | 'forms'>): string {
  return forms[0]?.en.definition.organization.name ?? id;
}

export async function listOrganizations({
  formRegistry,
  repository,
}: Pick<OrganizationRoutesOptions, 'formRegistry' | 'repository'>): Promise<OrganizationSummary[]> {
  const pauses = await repository.pauses.listActive();
  return formRegistry.organizations.map(({ id, forms }) => {
    const pause = pauses.find(({ organization }) => organization === id);
    return {
      id,
      name: getOrganizationName({ id, forms }),
      forms: forms.map(({ en }) => en.definition.id),
      paused: pause
        ? { at: new Date(pause.paused_at).toISOString(), by: pause.paused_by, note: pause.note }
        : null,
    };
  });
}

/**
 * Pauses or resumes donations to an organization. Returns a message for the user, or `undefined` if
 * no organization has the given ID.
 */
export async function pauseOrResumeOrganization(
  { formRegistry, repository }: Pick<OrganizationRoutesOptions, 'formRegistry' | 'repository'>,
  id: string,
  action: 'pause' | 'resume',
  { by, note }: { readonly by: string; readonly note: string },
): Promise<string | undefined> {
  if (!formRegistry.findOrganization(id)) return undefined;
  const { pauses } = repository;
  const hasChanged = await (action === 'pause'
    ? pauses.pauseOrganization(id, by, note)
    : pauses.resumeOrganization(id, by, note));
  if (action === 'pause')
    return hasChanged
      ? `${id} is paused. Within 5 seconds, all servers will reject new donations to it, ` +
          'but they will still process existing donations.'
      : `${id} is already paused.`;
  return hasChanged
    ? `${id} is no longer paused. Within 5 seconds, all servers will accept donations to it again.`
    : `${id} is not paused, so there is nothing to resume.`;
}

export function createOrganizationRoutes(options: OrganizationRoutesOptions): Hono {
  const app = new Hono();
  app.get('/api/organizations', async (c) => c.json({ items: await listOrganizations(options) }));
  app.post('/api/organizations/:id/:action{pause|resume}', async (c) => {
    const { id, action } = c.req.param() as { id: string; action: 'pause' | 'resume' };
    const { data, error } = pauseSchema.safeParse(await c.req.json().catch(() => undefined));
    if (error) return c.json({ message: formatIssuesOnOneLine(error) }, 400);
    const result = await pauseOrResumeOrganization(options, id, action, data);
    if (result !== undefined) return c.json({ result });
    return c.json({ message: formatUnknownOrganization(id, options.formRegistry) }, 404);
  });
  return app;
}

export function formatUnknownOrganization(id: string, { organizations }: FormRegistry): string {
  const ids = organizations.map((organization) => organization.id);
  return `Unknown organization '${id}'; expected one of ${ids.join(', ')}.`;
}
