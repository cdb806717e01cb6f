/**
 * Returns true for content that the page or a provider slotted, whose events pass through the root.
 */
export function isSlotted(target: EventTarget | null, root: ShadowRoot): boolean {
  return (target as Node).getRootNode() !== root;
}
