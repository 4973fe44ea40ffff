import { build } from './build.mjs';
import { dev } from './dev.mjs';
import { Failed } from './failed.mjs';
import { install } from './install.mjs';
import { start } from './start.mjs';
import { test } from './test.mjs';
import { say } from './messages.mjs';

const commands = {
  start,
  dev,
  test,
  build: async () => {
    await install();
    await build();
    return 0;
  },
};

/** Runs one command and exits with its code; an expected failure is printed as one line. */
export async function run(name, args) {
  const command = commands[name];
  try {
    if (command === undefined)
      throw new Failed(
        say(`Unknown command ${name}. There are: ${Object.keys(commands).join(', ')}`, `没有命令 ${name}。可用：${Object.keys(commands).join('、')}`),
      );
    process.exitCode = await command(args);
  } catch (error) {
    console.error(error instanceof Failed ? error.message : error);
    process.exitCode = 1;
  }
}
