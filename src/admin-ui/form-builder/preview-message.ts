import type { FormDefinition } from '@donation-form/core/schemas';
import type { Language } from '@donation-form/core/i18n';
import type { Scheme } from './contrast.ts';
import type { Theme } from './appearance.ts';

/** Message from the form builder to its preview frame. */
export interface PreviewMessage {
  readonly definition: FormDefinition;
  readonly language: Language;
  readonly theme: Theme | undefined;
  readonly styleSheet: string;
  readonly scheme: Scheme;
}
