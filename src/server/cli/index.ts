#!/usr/bin/env node
/**
 * The `donation-form` command. Checks the Node version before loading code that depends on it, and
 * keeps compiled code, which saves a sixth of the start time. The folder must belong to the user, so
 * that nobody else can put code there; if it cannot be written, Node compiles as usual.
 */
import nodeModule from 'node:module';
import { join } from 'node:path';

const [major = 0] = process.versions.node.split('.').map(Number);
if (major < 24) {
  process.stderr.write(
    `donation-form requires Node 24 or later, but this is Node ${process.version}. Install a ` +
      "newer version from nodejs.org or your system's package manager.\n",
  );
  process.exitCode = 1;
} else {
  const { HOME, XDG_CACHE_HOME = HOME && join(HOME, '.cache') } = process.env;
  // A named import of this function would be a syntax error in versions of Node without it.
  if (XDG_CACHE_HOME) nodeModule.enableCompileCache(join(XDG_CACHE_HOME, 'donation-form-server'));
  const { runCommand } = await import('./program.ts');
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  await runCommand(process.argv.slice(2));
}
