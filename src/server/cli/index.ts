#!/usr/bin/env node
/** The command `donation-form`. It checks the runtime before it loads anything that needs it. */
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(
    `donation-form needs Node 24 or newer; this is ${process.version}. Install it from nodejs.org or your system's packages.\n`,
  );
  process.exitCode = 1;
} else {
  const { run } = await import('./run.ts');
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  process.exitCode = await run(process.argv.slice(2));
}
