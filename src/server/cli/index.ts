#!/usr/bin/env node
/** The `donation-form` command. Checks the Node version before loading code that depends on it. */
const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(
    `donation-form requires Node 24 or later, but this is Node ${process.version}. Install a ` +
      "newer version from nodejs.org or your system's package manager.\n",
  );
  process.exitCode = 1;
} else {
  const { runCommand } = await import('./run.ts');
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  await runCommand(process.argv.slice(2));
}
