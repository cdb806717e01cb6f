/**
 * Runs a task once no pointer is pressed in a form, because a layout change would move the target
 * of the click.
 * @param mayBePressing true if a press may have started that the browser has not reported yet.
 */
export function runWhenReleased(root: ShadowRoot, mayBePressing: boolean, task: () => void): void {
  if (mayBePressing || root.querySelector(':active'))
    setTimeout(() => runWhenReleased(root, false, task), 50);
  else task();
}
