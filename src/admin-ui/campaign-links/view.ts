import type { FormDefinition } from '@donation-form/core/schemas';
import type { CheckedLink, LinkCheck } from '@donation-form/core/settings';
import type { LinkFields } from './link-fields.ts';

export type LinksCheck = { readonly rows: readonly CheckedLink[] } | { readonly problem: string };

export interface LinkView {
  readonly form: FormDefinition;
  readonly fields: LinkFields;
  readonly link: string | undefined;
  readonly origins: readonly string[];
  readonly check: LinkCheck;
  readonly pageProblem: string | undefined;
  readonly copyMessage: string;
  readonly linksText: string;
  readonly linksCheck: LinksCheck | undefined;
}
