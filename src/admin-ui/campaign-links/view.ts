import type { FormDefinition } from '@donation-form/core/schemas';
import type { CheckedLink, LinkCheck } from '@donation-form/core/settings';
import type { LinkFields } from './link-fields.ts';

/** Result of a bulk check: a row for each link, or an error message for an unreadable text. */
export type LinksCheck = { readonly rows: readonly CheckedLink[] } | { readonly problem: string };

/** State for rendering the sections of the page. */
export interface View {
  readonly form: FormDefinition;
  readonly fields: LinkFields;
  /** The campaign link, or undefined if the page URL is missing or invalid. */
  readonly link: string | undefined;
  /** Origins of the pages that can show the form. */
  readonly origins: readonly string[];
  /** Result of checking the link's parameters against the form. */
  readonly check: LinkCheck;
  /**
   * Error message for the page URL. Undefined if the URL is valid, and before the user leaves the
   * field or tries to copy the link.
   */
  readonly pageProblem: string | undefined;
  readonly copyMessage: string;
  /** Text with the links to check, from the text field or a file. */
  readonly linksText: string;
  readonly linksCheck: LinksCheck | undefined;
}
