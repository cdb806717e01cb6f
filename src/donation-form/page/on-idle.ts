/** Safari has no `requestIdleCallback`. */
export function runWhenIdle(task: () => unknown): void {
  if ('requestIdleCallback' in window) requestIdleCallback(task, { timeout: 2_000 });
  else setTimeout(task, 200);
}
