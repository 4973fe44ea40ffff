import { readConfig } from './config';
import { helpText } from './help';
import { createLog } from './log';
import type { Log } from './log';
import { startProgram } from './program';
import type { Program } from './program';
import { say, StartFailure } from './terminalTexts';

const stopLimitMs = 30_000;

async function main(argv: readonly string[]): Promise<void> {
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(helpText(process.env));
    return;
  }
  const config = readConfig(process.env, argv);
  const log = createLog(config.logLevel);
  const starting = startProgram(config, log);
  stopOnSignal(starting, log);
  announce(await starting);
}

/** Prints the URL and the one-time links that the person at the terminal needs. */
function announce({ url, setUpUrl, resetUrl }: Program): void {
  process.stdout.write(`\n  ${say({ en: 'Sitewright is running: ', zh: 'Sitewright 已启动：' })}${url}\n`);
  if (setUpUrl !== null)
    process.stdout.write(`  ${say({ en: 'Make the owner account with this one-time link: ', zh: '用此一次性链接创建所有者账户：' })}${setUpUrl}\n`);
  if (resetUrl !== null)
    process.stdout.write(
      `  ${say({ en: 'Set a new password with this one-time link (30 minutes): ', zh: '用此一次性链接设置新密码（30 分钟内有效）：' })}${resetUrl}\n`,
    );
  process.stdout.write('\n');
}

/** The first signal stops the program in order, the second immediately. The loss of the channel to the launching process counts as a signal. */
function stopOnSignal(starting: Promise<Program>, log: Log): void {
  let stopRequests = 0;
  const stop = (reason: string, code: number): void => {
    stopRequests += 1;
    if (stopRequests > 1) process.exit(1);
    log.info('stopping', { reason });
    setTimeout(() => process.exit(1), stopLimitMs).unref();
    starting
      .then((program) => program.stop())
      .then(
        () => process.exit(code),
        () => process.exit(1),
      );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop(signal, 0));
  if (process.channel) {
    process.once('disconnect', () => stop('the launcher left', 0));
    process.channel.unref();
  }
  process.on('uncaughtException', (error) => {
    log.error('an uncaught error', { error });
    stop('an uncaught error', 1);
  });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof StartFailure) process.stderr.write(`${error.message}\n`);
  else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
