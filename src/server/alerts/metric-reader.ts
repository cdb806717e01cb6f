import type { Registry } from 'prom-client';

type Labels = Readonly<Record<string, string | number>>;

/** A metric's value for one set of labels. */
export interface Sample {
  readonly labels: Labels;
  readonly value: number;
}

/** Values of all metrics at one point in time, keyed by name and labels. */
interface Snapshot {
  /** Monotonic time, in milliseconds. */
  readonly at: number;
  readonly values: ReadonlyMap<string, Sample & { readonly name: string }>;
}

/** Longest period over which a rule evaluates a counter, in milliseconds. */
const MAX_PERIOD = 3_600_000;
/** Upper bounds of the histogram buckets that rules evaluate, in seconds. */
const BOUNDS: readonly unknown[] = [0.5, 5];

/** Reads current metrics and counter increases. */
export class MetricReader {
  readonly #registry: Registry;
  readonly #clock: () => number;
  readonly #snapshots: Snapshot[] = [];

  constructor(registry: Registry, clock = (): number => performance.now()) {
    this.#registry = registry;
    this.#clock = clock;
  }

  /** Reads all metrics. The other methods return values from the most recent snapshot. */
  async takeSnapshot(): Promise<void> {
    const values = new Map<string, Sample & { readonly name: string }>();
    for (const metric of await this.#registry.getMetricsAsJSON())
      for (const { labels, value, metricName: name = metric.name } of metric.values as readonly {
        readonly labels: Labels;
        readonly value: number;
        readonly metricName?: string;
      }[])
        if (labels.le === undefined || BOUNDS.includes(labels.le))
          values.set(JSON.stringify([name, labels]), { name, labels, value });
    const at = this.#clock();
    this.#snapshots.push({ at, values });
    while (this.#snapshots[1] && this.#snapshots[1].at <= at - MAX_PERIOD) this.#snapshots.shift();
  }

  /** Returns a metric's samples that have the given labels. */
  list(name: string, labels: Labels = {}): Sample[] {
    return [...(this.#snapshots.at(-1)?.values.values() ?? [])].filter(
      (sample) =>
        sample.name === name &&
        Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    );
  }

  /** Returns a counter's increases in the last `period` milliseconds, or since the server's start. */
  listIncreases(name: string, labels: Labels, period: number): Sample[] {
    const start = this.#clock() - period;
    const before = this.#snapshots.findLast(({ at }) => at <= start);
    return this.list(name, labels).map((sample) => ({
      ...sample,
      value: sample.value - (before?.values.get(JSON.stringify([name, sample.labels]))?.value ?? 0),
    }));
  }
}

export function sumBy(samples: readonly Sample[], label: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { labels, value } of samples) {
    const key = String(labels[label]);
    sums.set(key, (sums.get(key) ?? 0) + value);
  }
  return sums;
}

export function sum(samples: readonly Sample[]): number {
  return samples.reduce((total, { value }) => total + value, 0);
}
