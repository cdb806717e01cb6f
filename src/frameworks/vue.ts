/** The package's entry `donation-form/vue`: `<donation-form>` in Vue's templates. Types alone. */
import type { EmitFn, HTMLAttributes, PublicProps } from 'vue';
import type { DonationFormElement } from '../element/donation-form.ts';
import type { DonationFormEventMap } from '../element/events.ts';
import type { DonationFormProperties } from './tag.ts';

/** What a template's type check reads of a component. A ref to the tag is the element itself, which has neither `$props` nor `$emit`. */
type InTemplate = new () => DonationFormElement & {
  $props: HTMLAttributes & DonationFormProperties & PublicProps;
  $emit: EmitFn<{ [Name in keyof DonationFormEventMap]: (event: DonationFormEventMap[Name]) => void }>;
};

declare module 'vue' {
  interface GlobalComponents {
    'donation-form': InTemplate;
  }
}
