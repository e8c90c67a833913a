import { run, formatCliError } from './run.ts';
import { CliError } from './support/cliError.ts';

// A reader that has seen enough, such as head, closes the pipe: that is its right, not an error.
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') process.exit(0);
  process.stderr.write(
    formatCliError(new CliError(1, 'unwritable-output', `The output cannot be written (${code}); make room for it.`)),
  );
  process.exit(1);
});

// Started by an older Node, which waits for this process to end: if it was killed, nobody would.
if (process.channel) {
  process.on('disconnect', () => {
    if (!process.emit('SIGTERM')) process.exit(1);
  });
  process.channel.unref();
}

process.exitCode = await run(process.argv.slice(2), {
  // Opened only by who reads it.
  get input() {
    return process.stdin;
  },
  output: process.stdout,
  errors: process.stderr,
  signals: process,
});
