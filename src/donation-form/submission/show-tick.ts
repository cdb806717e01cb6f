/** Milliseconds for which donors see the tick. */
const TICK_DURATION = 240;

/**
 * Turns the spinner in the submit button into a tick, and waits until donors have seen it. Returns
 * at once if there is no spinner or if the donor prefers reduced motion.
 */
export async function showTickInButton(root: ShadowRoot): Promise<void> {
  const spinner = root.querySelector('[part=button] .spinner');
  if (!spinner || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  spinner.classList.add('tick');
  await new Promise((resolve) => {
    setTimeout(resolve, TICK_DURATION);
  });
}
