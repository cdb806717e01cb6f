import { LitElement, type PropertyDeclarations } from 'lit';
import type { PageSettings } from '../page/window-types.ts';

/**
 * What a page can say in a form's tag: attributes, each a property too, and the property
 * `settings`.
 */
export class DonationFormBase extends LitElement {
  static override properties: PropertyDeclarations = {
    endpoint: {},
    formId: { attribute: 'form-id' },
    amount: {},
    amounts: {},
    frequency: {},
    currency: {},
    language: {},
    segment: {},
    project: {},
    projectPreselect: { attribute: 'project-preselect' },
    coverCosts: { attribute: 'cover-costs' },
    settings: { attribute: false },
    settingsKey: { attribute: 'settings-key' },
    urlParams: { attribute: 'url-params' },
    ignoreParams: { attribute: 'ignore-params' },
    keepAddress: { attribute: 'keep-address', type: Boolean },
    thanksUrl: { attribute: 'thanks-url' },
    debug: { type: Boolean },
  };

  /** The donation endpoint's address. */
  declare endpoint: string | undefined;
  /** Which of the endpoint's forms; the first one where absent. */
  declare formId: string | undefined;

  /**
   * The amount that is suggested, in major units. This and what follows is the weakest of the
   * site's voices: the page's settings and its address are stronger.
   */
  declare amount: string | number | null | undefined;
  /** The suggested amounts, in major units: `25,50,100`, or an array. */
  declare amounts: string | readonly (string | number)[] | null | undefined;
  /** once, monthly, quarterly, annually, or another that the form's definition offers. */
  declare frequency: string | null | undefined;
  /** ISO 4217. */
  declare currency: string | null | undefined;
  /**
   * BCP 47. Without it the form speaks the language of the page around it, or else the browser's.
   */
  declare language: string | null | undefined;
  /** The segment that gifts are counted to. */
  declare segment: string | null | undefined;
  /** The code of the project that gifts are for; the donor does not choose. */
  declare project: string | null | undefined;
  /** The code of the project that is chosen beforehand. */
  declare projectPreselect: string | null | undefined;
  /**
   * Whether the donor adds the costs of the payment; as an attribute present, `true` or `false`.
   */
  declare coverCosts: boolean | string | null | undefined;
  /**
   * Settings of the shape of `window.ServiceDonorsForms.settings`, weaker than the properties
   * above.
   */
  declare settings: PageSettings | null | undefined;
  /** Which member of `window.ServiceDonorsForms` this form reads; `settings` where absent. */
  declare settingsKey: string | undefined;
  /** `off`: the page's address sets nothing of this form. */
  declare urlParams: string | undefined;
  /**
   * Parameters of the address that this form does not read, by commas: on this site they are
   * somebody else's.
   */
  declare ignoreParams: string | undefined;
  /** Leaves names, e-mail, phone and street in the page's address after they were read. */
  declare keepAddress: boolean;
  /** The site's own thank-you page: the form goes there after a gift and the page's callbacks. */
  declare thanksUrl: string | null | undefined;
  /**
   * Shows under the form where each setting came from, as `?donation-form-debug` in the address
   * does.
   */
  declare debug: boolean;
}
