/**
 * Returns true if the target of an event in a form's shadow root is content that the page or a
 * payment provider added to a slot. Events of such content pass through the shadow root.
 */
export function isSlotted(target: EventTarget | null, root: ShadowRoot): boolean {
  return (target as Node).getRootNode() !== root;
}
