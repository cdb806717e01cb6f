/** The browser's `Event`, which the page may have replaced, as MooTools 1.4 does. */
const NativeEvent = Object.getPrototypeOf(
  // Servers, which can import the elements, have no `UIEvent`.
  (globalThis as Partial<typeof globalThis>).UIEvent ?? CustomEvent,
) as typeof Event;

/** An event that bubbles and leaves the form's shadow root. */
export class FormEvent extends NativeEvent {
  constructor(type: string, cancelable = false) {
    super(type, { bubbles: true, composed: true, cancelable });
  }
}
