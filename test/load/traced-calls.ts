import { readFileSync } from 'node:fs';

/** A system call that a process made, as `strace -f` logs it. */
export interface TracedCall {
  readonly name: string;
  readonly descriptor: number;
  readonly text: string;
}

/**
 * Returns a command that traces calls that write to the disk or the network, with their data. The
 * traced program remains a direct child process.
 */
export const getTracerCommand = (file: string): readonly string[] => [
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

/** Reads the calls in the order in which they returned. */
export function readTrace(file: string): TracedCall[] {
  const unfinished = new Map<string, TracedCall>();
  return readFileSync(file, 'latin1')
    .split('\n')
    .flatMap((line) => {
      const [, thread = '', name = '', descriptor, text = ''] =
        /^(\d+) +(\w+)\((\d+)(.*)$/s.exec(line) ?? [];
      const call = { name, descriptor: Number(descriptor), text };
      if (line.endsWith('<unfinished ...>')) unfinished.set(thread, call);
      else if (descriptor !== undefined) return [call];
      const [, resumed] = /^(\d+) +<\.\.\. \w+ resumed>/.exec(line) ?? [];
      return resumed === undefined ? [] : [unfinished.get(resumed)!];
    });
}
