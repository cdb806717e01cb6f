/**
 * Runs a task when no pointer is pressed, because a layout change could make a click miss.
 * @param mayBePressing true if a press might have started without setting `:active` yet.
 */
export function runWhenReleased(root: ParentNode, mayBePressing: boolean, task: () => void): void {
  if (mayBePressing || root.querySelector(':active'))
    setTimeout(() => runWhenReleased(root, false, task), 50);
  else task();
}
