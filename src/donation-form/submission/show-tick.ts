const TICK_DURATION = 240;

/** Turns the button's spinner, if any, into a check mark, and waits while it is visible. */
export async function showTickInButton(root: ShadowRoot): Promise<void> {
  const spinner = root.querySelector('[part=button] .spinner');
  if (!spinner || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  spinner.classList.add('tick');
  await new Promise((resolve) => {
    setTimeout(resolve, TICK_DURATION);
  });
}
