/**
 * A donation as the form sends it and the server returns it. Only the parts that the demo reads or
 * replaces are typed.
 */
export interface DemoGift {
  readonly amount: number;
  readonly coveredFees: number;
  readonly total: number;
  readonly currency: string;
  readonly frequency: string;
}

export interface DemoOutcome {
  readonly reference: string;
  readonly status: string;
  readonly gift: DemoGift;
  readonly response?: { readonly amount: number };
}

/** What the built server sent to the demo form. The site's build records it anew each time. */
export interface DemoRecording {
  /** Form definitions by language. */
  readonly definitions: Readonly<Record<string, object>>;
  /** Outcomes by language, frequency, and payment provider, such as `en once stripe`. */
  readonly outcomes: Readonly<Record<string, DemoOutcome>>;
}
