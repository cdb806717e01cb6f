import type { FormDefinition } from '@donation-form/core/schemas';
import type { LinkCheck, CheckedLink } from '@donation-form/core/settings';
import type { LinkFields } from './link-fields.ts';

/** Result of a bulk check: a row for each link, or the reason why the text could not be read. */
export type LinksCheck = { readonly rows: readonly CheckedLink[] } | { readonly problem: string };

/** State that the sections render. */
export interface View {
  readonly form: FormDefinition;
  readonly fields: LinkFields;
  /** Undefined while the page URL is missing or invalid. */
  readonly link: string | undefined;
  /** Origins of the pages that may show the form. */
  readonly origins: readonly string[];
  /** Result of checking the link's parameters against the form. */
  readonly check: LinkCheck;
  /** Undefined if the page URL is valid, or until the user leaves the field or copies the link. */
  readonly pageProblem: string | undefined;
  readonly copyMessage: string;
  /** Links to check, as pasted or read from a file. */
  readonly linksText: string;
  readonly linksCheck: LinksCheck | undefined;
}
