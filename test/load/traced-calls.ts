import { readFileSync } from 'node:fs';

/** A system call that a process made, as `strace -f` notes it. */
export interface TracedCall {
  readonly name: string;
  readonly descriptor: number;
  readonly text: string;
}

/**
 * What the tracer is told: calls that put something on the disk or send it to somebody, with what
 * they write. The traced program stays the parent's child.
 */
export const tracer = (file: string): readonly string[] => [
  'strace',
  '-D',
  '-f',
  '-qq',
  '-e',
  'trace=fsync,fdatasync,pwrite64,write,writev,sendto',
  '-s',
  '6000',
  '-o',
  file,
];

/** The calls in the order in which they ended. */
export function readTrace(file: string): TracedCall[] {
  const begun = new Map<string, TracedCall>();
  return readFileSync(file, 'latin1')
    .split('\n')
    .flatMap((line) => {
      const [, thread = '', name = '', descriptor, text = ''] =
        /^(\d+) +(\w+)\((\d+)(.*)$/s.exec(line) ?? [];
      const call = { name, descriptor: Number(descriptor), text };
      if (line.endsWith('<unfinished ...>')) begun.set(thread, call);
      else if (descriptor !== undefined) return [call];
      const [, resumed] = /^(\d+) +<\.\.\. \w+ resumed>/.exec(line) ?? [];
      return resumed === undefined ? [] : [begun.get(resumed)!];
    });
}
