/** Milliseconds that the check mark is visible. */
const TICK_DURATION = 240;

/**
 * Turns the submit button's spinner into a check mark, and waits while the check mark is visible.
 * Returns immediately if there is no spinner or the donor prefers reduced motion.
 */
export async function showTickInButton(root: ShadowRoot): Promise<void> {
  const spinner = root.querySelector('[part=button] .spinner');
  if (!spinner || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  spinner.classList.add('tick');
  await new Promise((resolve) => {
    setTimeout(resolve, TICK_DURATION);
  });
}
