import { run, formatCliError } from './run.ts';
import { CliError } from './support/cliError.ts';

// EPIPE: the program that reads the output, such as `head`, has closed the pipe. This is not an error.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(
    formatCliError(
      new CliError(1, 'unwritable-output', `The output cannot be written (${code}); free disk space and try again.`),
    ),
  );
  process.exit(1);
});

// The IPC channel exists only if scripts/run.mjs has started this process, because it runs on an older Node itself. If
// that parent process is killed, this process ends too.
if (process.channel) {
  process.on('disconnect', () => {
    if (!process.emit('SIGTERM')) process.exit(1);
  });
  process.channel.unref();
}

process.exitCode = await run(process.argv.slice(2), {
  // A getter, because only a command that reads standard input may open it.
  get input() {
    return process.stdin;
  },
  output: process.stdout,
  errors: process.stderr,
  signals: process,
});
