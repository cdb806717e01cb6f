import type { LitElement } from 'lit';
import type { DonationFormEventMap } from '../element/events.ts';
import type { DonationFormTag } from '../element/tag.ts';

/** What a template may set of `<donation-form>`, by the names of its properties. */
export type DonationFormProperties = Partial<Omit<DonationFormTag, keyof LitElement>>;

type InHtml<Name extends string> = Name extends `${infer First}${infer Rest}` ? `${First extends Lowercase<First> ? First : `-${Lowercase<First>}`}${InHtml<Rest>}` : Name;
type Plain = string | number | boolean;
/** The name of a property's attribute, where it has one of another name. */
type OwnName<Name extends string, Value> = Extract<Value, Plain> extends never ? never : Exclude<InHtml<Name>, Name>;

/** The attributes that are named otherwise than their properties, such as `form-id`. */
export type DonationFormAttributes = {
  [Name in keyof DonationFormProperties as OwnName<Name, DonationFormProperties[Name]>]?: DonationFormProperties[Name]
};

/** A handler for each of its events, as JSX of React 19 and Svelte 5 name them: `ondonation-form-success`. */
export type DonationFormHandlers = {
  [Name in keyof DonationFormEventMap as `on${Name}`]?: ((event: DonationFormEventMap[Name]) => void) | undefined
};
