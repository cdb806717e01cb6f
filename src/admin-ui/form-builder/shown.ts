import type { FormDefinition } from '@donation-form/core/schemas';
import type { Language } from '@donation-form/core/i18n';
import type { Scheme } from './contrast.ts';
import type { Theme } from './look.ts';

/** What the page tells its preview to show. */
export interface Shown {
  readonly definition: FormDefinition;
  readonly language: Language;
  readonly theme: Theme | undefined;
  readonly styleSheet: string;
  readonly scheme: Scheme;
}
