import type { LitElement } from 'lit';
import type { DonationFormEventMap } from '../events/events.ts';
import type { DonationFormBase } from '../form/attributes.ts';
import type { DonationGoalElement } from '../goal/donation-goal.ts';

/** Properties of `<donation-form>` that a template can set. */
export type DonationFormProperties = Partial<Omit<DonationFormBase, keyof LitElement>>;

type ToKebabCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${ToKebabCase<Rest>}`
  : Name;
type AttributeValue = string | number | boolean;
type AttributeName<Property extends string, Value> =
  Extract<Value, AttributeValue> extends never ? never : ToKebabCase<Property>;

/** Attributes of `<donation-form>` whose names differ from their properties, such as `form-id`. */
type DonationFormAttributes = {
  [
    Name in keyof DonationFormProperties as Exclude<
      AttributeName<Name, DonationFormProperties[Name]>,
      Name
    >
  ]?: DonationFormProperties[Name];
};

/** Attributes that `<donation-button>` accepts and passes to its form. */
export type DonationButtonAttributes = {
  [
    Name in keyof DonationFormProperties as AttributeName<Name, DonationFormProperties[Name]>
  ]?: DonationFormProperties[Name];
};

/** Attributes of `<donation-goal>`. */
export type DonationGoalAttributes = Partial<
  Record<(typeof DonationGoalElement.observedAttributes)[number], string>
>;

/**
 * Event handlers for `<donation-form>`, with the names that React 19 and Svelte 5 use in templates,
 * such as `ondonation-form-success`.
 */
type DonationFormHandlers = {
  [Name in keyof DonationFormEventMap as `on${Name}`]?:
    ((event: DonationFormEventMap[Name]) => void) | undefined;
};

/** Everything that React and Svelte templates can set on `<donation-form>`. */
export type DonationFormProps = DonationFormProperties &
  DonationFormAttributes &
  DonationFormHandlers;
