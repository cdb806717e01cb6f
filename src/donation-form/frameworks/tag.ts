import type { LitElement } from 'lit';
import type { DonationGoalElement } from '../goal/donation-goal.ts';
import type { DonationFormEventMap } from '../events/events.ts';
import type { DonationFormBase } from '../form/attributes.ts';

/** What a template may set of `<donation-form>`, by the names of its properties. */
export type DonationFormProperties = Partial<Omit<DonationFormBase, keyof LitElement>>;

type InHtml<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${InHtml<Rest>}`
  : Name;
type Plain = string | number | boolean;
type NameInHtml<Name extends string, Value> =
  Extract<Value, Plain> extends never ? never : InHtml<Name>;

/** The attributes that are named otherwise than their properties, such as `form-id`. */
export type DonationFormAttributes = {
  [
    Name in keyof DonationFormProperties as Exclude<
      NameInHtml<Name, DonationFormProperties[Name]>,
      Name
    >
  ]?: DonationFormProperties[Name];
};

/** What a template may set of `<donation-button>`: the attributes of the form that it opens. */
export type DonationButtonAttributes = {
  [
    Name in keyof DonationFormProperties as NameInHtml<Name, DonationFormProperties[Name]>
  ]?: DonationFormProperties[Name];
};

/** What a template may set of `<donation-goal>`. */
export type DonationGoalAttributes = Partial<
  Record<(typeof DonationGoalElement.observedAttributes)[number], string>
>;

/**
 * A handler for each of its events, as JSX of React 19 and Svelte 5 name them:
 * `ondonation-form-success`.
 */
export type DonationFormHandlers = {
  [Name in keyof DonationFormEventMap as `on${Name}`]?:
    ((event: DonationFormEventMap[Name]) => void) | undefined;
};
