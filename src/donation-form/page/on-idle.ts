/**
 * Runs a task when the browser is idle, or after 200 milliseconds in browsers without
 * `requestIdleCallback`, such as Safari.
 */
export function runWhenIdle(task: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(task, { timeout: 2_000 });
  else setTimeout(task, 200);
}
