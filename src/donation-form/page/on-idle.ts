/**
 * Does something as soon as the browser has nothing else to do. Safari has no
 * `requestIdleCallback`.
 */
export function onIdle(task: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(task, { timeout: 2_000 });
  else setTimeout(task, 200);
}
