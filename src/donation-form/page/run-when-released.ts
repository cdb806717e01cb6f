/**
 * Runs a task once no pointer is pressed in a form. If the layout changed during a press, the click
 * could miss its target.
 * @param mayBePressing true if a press may have started but is not visible as `:active` yet.
 */
export function runWhenReleased(root: ShadowRoot, mayBePressing: boolean, task: () => void): void {
  if (mayBePressing || root.querySelector(':active'))
    setTimeout(() => runWhenReleased(root, false, task), 50);
  else task();
}
