import { run, formatCliError } from './run.ts';
import { CliError } from './support/cliError.ts';

// EPIPE: a reader such as `head` has closed the pipe. That is no error.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(
    formatCliError(new CliError(1, 'unwritable-output', `The output cannot be written (${code}); make room for it.`)),
  );
  process.exit(1);
});

// scripts/run.mjs started this process from an older Node. If that parent is killed, end as well.
if (process.channel) {
  process.on('disconnect', () => {
    if (!process.emit('SIGTERM')) process.exit(1);
  });
  process.channel.unref();
}

process.exitCode = await run(process.argv.slice(2), {
  // A getter: standard input is opened only by a command that reads it.
  get input() {
    return process.stdin;
  },
  output: process.stdout,
  errors: process.stderr,
  signals: process,
});
