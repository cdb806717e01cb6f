/**
 * Runs a task when no pointer is pressed in the form. A layout change during a press could make the
 * click miss its target.
 * @param mayBePressing true if a press might have started without setting `:active` yet.
 */
export function runWhenReleased(root: ParentNode, mayBePressing: boolean, task: () => void): void {
  if (mayBePressing || root.querySelector(':active'))
    setTimeout(() => runWhenReleased(root, false, task), 50);
  else task();
}
