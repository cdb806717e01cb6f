import { Hono } from 'hono';
import type { FormRegistry } from '../donations/form-registry.ts';
import type { DonationRepository } from '../donations/donation-repository.ts';
import { faultOf, signed } from './command-schemas.ts';

/** An organisation of this server, and whether it takes gifts. */
export interface OrganizationReport {
  readonly id: string;
  readonly name: string;
  readonly forms: readonly string[];
  /** `null`: it takes gifts. `at` is ISO 8601. */
  readonly paused: { readonly at: string; readonly by: string; readonly note: string } | null;
}

export interface OrganizationsOptions {
  readonly repository: DonationRepository;
  readonly formRegistry: FormRegistry;
}

export async function organizationReports({
  formRegistry,
  repository,
}: Pick<OrganizationsOptions, 'formRegistry' | 'repository'>): Promise<OrganizationReport[]> {
  const pauses = await repository.pauses.now();
  return formRegistry.organizations.map(({ id, forms }) => {
    const pause = pauses.find(({ organization }) => organization === id);
    return {
      id,
      name: forms[0]?.en.definition.organization.name ?? id,
      forms: forms.map(({ en }) => en.definition.id),
      paused: pause
        ? { at: new Date(pause.paused_at).toISOString(), by: pause.paused_by, note: pause.note }
        : null,
    };
  });
}

/** What was switched, in a sentence; `undefined` where there is no such organisation. */
export async function switchOrganization(
  { formRegistry, repository }: Pick<OrganizationsOptions, 'formRegistry' | 'repository'>,
  id: string,
  to: 'pause' | 'resume',
  { by, note }: { readonly by: string; readonly note: string },
): Promise<string | undefined> {
  if (!formRegistry.organization(id)) return undefined;
  const hasChanged = await repository.pauses[to](id, by, note);
  if (to === 'pause')
    return hasChanged
      ? `${id} takes no new gifts from now on, within 5 seconds on all servers. What was given before goes on.`
      : `${id} was paused already.`;
  return hasChanged
    ? `${id} takes gifts again, within 5 seconds on all servers.`
    : `${id} was not paused.`;
}

/** The switch of each organisation, for the command. */
export function organizationRoutes(options: OrganizationsOptions): Hono {
  const app = new Hono();
  app.get('/api/organizations', async (c) => c.json({ items: await organizationReports(options) }));
  app.post('/api/organizations/:id/:to{pause|resume}', async (c) => {
    const { id, to } = c.req.param();
    const { data, error } = signed.safeParse(await c.req.json().catch(() => undefined));
    if (error) return c.json({ message: faultOf(error) }, 400);
    const said = await switchOrganization(options, id, to as 'pause' | 'resume', data);
    return said === undefined
      ? c.json(
          {
            message: `There is no organisation '${id}'; expected one of ${options.formRegistry.organizations.map((one) => one.id).join(', ')}.`,
          },
          404,
        )
      : c.json({ said });
  });
  return app;
}
