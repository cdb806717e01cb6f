import type { Logger } from '../lib/logger.ts';
import type { Count, RateCounter } from './rate-counter.ts';
import { MAX_FORM_DECLINES, MAX_TOTAL_DECLINES } from './thresholds.ts';

/** In milliseconds. */
const CACHE_DURATION = 1_000;

/** Counter key for the declines on all forms. No form can have this ID. */
const ALL_FORMS = '*';

/**
 * Detects card testing by declines and concurrent charges. Many donations alone are not suspicious.
 */
export function createAttackDetector(
  declineCounter: RateCounter,
  maxConcurrentCharges: number,
  log: Logger,
) {
  const cachedDeclines = new Map<string, { readonly count: number; readonly until: number }>();
  const concurrentCharges = new Map<string, number>();
  const getConcurrentCharges = (form: string): number => concurrentCharges.get(form) ?? 0;

  const cacheDeclines = (name: string, { count, expiresIn }: Count): number => {
    const until = performance.now() + Math.min(expiresIn || CACHE_DURATION, CACHE_DURATION);
    cachedDeclines.set(name, { count, until });
    return count;
  };
  const getDeclines = async (name: string): Promise<number> => {
    const seen = cachedDeclines.get(name);
    return seen && performance.now() < seen.until
      ? seen.count
      : cacheDeclines(name, await declineCounter.read(name));
  };
  return {
    countChargeStart: (form: string) =>
      void concurrentCharges.set(form, getConcurrentCharges(form) + 1),
    countChargeEnd: (form: string) =>
      void concurrentCharges.set(form, getConcurrentCharges(form) - 1),
    isAtCapacity: (form: string) => getConcurrentCharges(form) >= maxConcurrentCharges,

    /** Counts the declines on this form and on all forms. */
    isUnderAttack: async (form: string): Promise<boolean> => {
      const [own, all] = await Promise.all([getDeclines(form), getDeclines(ALL_FORMS)]);
      return own >= MAX_FORM_DECLINES || all >= MAX_TOTAL_DECLINES;
    },
    countDecline: async (form: string): Promise<void> => {
      const [own, all] = await Promise.all(
        [form, ALL_FORMS].map(async (name) =>
          cacheDeclines(name, await declineCounter.add(name, 1)),
        ),
      );
      if (own === MAX_FORM_DECLINES || all === MAX_TOTAL_DECLINES)
        log.warn(
          { form, declines: own, onAllForms: all },
          'possible card testing: too many declines; donors must now solve a proof of work',
        );
    },
  };
}
