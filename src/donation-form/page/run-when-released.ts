/**
 * A layout change during a press, which may not have set `:active` yet, could make a click miss.
 */
export function runWhenReleased(root: ParentNode, mayBePressing: boolean, task: () => void): void {
  if (mayBePressing || root.querySelector(':active'))
    setTimeout(() => runWhenReleased(root, false, task), 50);
  else task();
}
