/**
 * Milliseconds to wait for a payment field to load or respond before the form offers another way to
 * pay.
 */
export const RESPONSE_TIME = 6_000;

/** Returns the promise's result, or rejects if the promise does not settle in time. */
export async function withTimeLimit<Result>(
  promise: Promise<Result>,
  milliseconds: number,
  message: string,
): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), milliseconds);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
