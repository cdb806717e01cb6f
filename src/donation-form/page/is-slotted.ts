/** Events of content that the page or a provider slotted pass through the root. */
export function isSlotted(target: EventTarget | null, root: ShadowRoot): boolean {
  return (target as Node).getRootNode() !== root;
}
