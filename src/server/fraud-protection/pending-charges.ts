import type { Limits, Subject } from './thresholds.ts';

/** Attempts and declines of one subject, such as an email. */
export interface SubjectCount extends Limits {
  readonly subject: Subject;
  readonly key: string;
  /** Milliseconds until the count expires. */
  readonly expiresIn: number;
}

/** Without a result, the charge was neither accepted nor declined. */
export type EndCharge = (result?: 'accepted' | 'declined') => void;

/** This server's open charges for one subject. */
interface Group {
  /** Number of charges and of attempts that wait for their turn. */
  size: number;
  charges: number;
  accepted: number;
  declined: number;
  readonly waiting: (() => void)[];
}

/**
 * Keeps a burst of charges from passing the limits before the first decline: each pending charge
 * counts as a possible decline, so further attempts wait until it ends. Each accepted charge lets
 * one more start at the same time, so a crowd behind one address waits only briefly.
 */
export class PendingCharges {
  readonly #groups = new Map<string, Group>();
  readonly #limits: Readonly<Record<Subject, Limits>>;

  constructor(limits: Readonly<Record<Subject, Limits>>) {
    this.#limits = limits;
  }

  /**
   * Starts a charge once the declines and pending charges are below the limits.
   * @param enforceLimits called with the current counts. If it throws, no charge starts.
   * @returns a function to call when the charge has ended.
   */
  async startCharge(
    counted: readonly SubjectCount[],
    enforceLimits: (counts: readonly SubjectCount[]) => void,
  ): Promise<EndCharge> {
    const memberships = counted.map((count) => {
      const group = this.#joinGroup(count.key);
      return { count, group, declinedBefore: group.declined };
    });
    const countNow = (): SubjectCount[] =>
      memberships.map(({ count, group, declinedBefore }) => ({
        ...count,
        declines: count.declines + group.declined - declinedBefore,
      }));
    const findFullGroup = (): Group | undefined => {
      const index = countNow().findIndex(({ subject, declines }, at) => {
        const { charges, accepted } = memberships[at]!.group;
        const remaining = this.#limits[subject].declines - declines;
        return remaining > 0 && charges >= remaining + accepted;
      });
      return memberships[index]?.group;
    };
    const leaveGroups: EndCharge = (result) => {
      for (const { count, group } of memberships) {
        if (result) group[result] += 1;
        if ((group.size -= 1) === 0) this.#groups.delete(count.key);
        for (const resume of group.waiting.splice(0)) resume();
      }
    };
    for (let full = findFullGroup(); full; full = findFullGroup())
      await new Promise<void>((resolve) => full.waiting.push(resolve));
    try {
      enforceLimits(countNow());
    } catch (error) {
      leaveGroups();
      throw error;
    }
    for (const { group } of memberships) group.charges += 1;
    return (result) => {
      for (const { group } of memberships) group.charges -= 1;
      leaveGroups(result);
    };
  }

  #joinGroup(key: string): Group {
    const group = this.#groups.get(key) ?? {
      size: 0,
      charges: 0,
      accepted: 0,
      declined: 0,
      waiting: [],
    };
    group.size += 1;
    this.#groups.set(key, group);
    return group;
  }
}
