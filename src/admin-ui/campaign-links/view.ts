import type { FormDefinition } from '@donation-form/core/schemas';
import type { LinkCheck, LinkRow } from '@donation-form/core/settings';
import type { Entries } from './entries.ts';

/** What many links came to: rows, or why they could not be read. */
export type TableState = { readonly rows: readonly LinkRow[] } | { readonly problem: string };

/** What the sections show. */
export interface View {
  readonly form: FormDefinition;
  readonly entries: Entries;
  /** Absent while the page's address is missing or wrong. */
  readonly link: string | undefined;
  /** What the form would make of the link; of its parameters alone while there is no link. */
  readonly check: LinkCheck;
  /** What is wrong with the page's address, once it may be said. */
  readonly pageProblem: string | undefined;
  /** What happened to the link last, such as that it was copied. */
  readonly said: string;
  /** The links to check, as they were pasted or read from a file. */
  readonly tableText: string;
  readonly table: TableState | undefined;
}
