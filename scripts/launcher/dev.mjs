import { fork } from 'node:child_process';
import { install } from './install.mjs';
import { inRoot, root, runNode } from './process.mjs';
import { say } from './messages.mjs';

/**
 * `npm run dev`: the console with fast refresh on PORT (3000), in front of the real server on PORT + 10, which is rebuilt and restarted whenever its sources
 * change. Data is stored in ./data, as with `npm start`.
 */
export async function dev(args) {
  await install();
  const port = Number(process.env.PORT ?? 3000);
  const serverUrl = `http://localhost:${port + 10}`;
  const publicUrl = `http://localhost:${port}`;
  await runNode(['scripts/build-tracker.mjs'], { quiet: true });

  const { context } = await import('esbuild');
  const { copyServerFiles, serverBundle } = await import('../build-server.mjs');
  const server = restarting(args, { PORT: String(port + 10), PUBLIC_URL: publicUrl, NODE_ENV: 'development', DEVTOOLS: '1', UV_THREADPOOL_SIZE: '16' });
  const bundle = await context({
    ...serverBundle(),
    plugins: [
      {
        name: 'restart',
        setup: (build) =>
          build.onEnd(async ({ errors }) => {
            if (errors.length > 0) return;
            await copyServerFiles();
            await server.restart();
          }),
      },
    ],
  });
  await bundle.watch();
  const console_ = fork(inRoot('node_modules/webpack-cli/bin/cli.js'), ['serve', '--mode', 'development'], {
    cwd: root,
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, NODE_ENV: 'development', SERVER_URL: serverUrl, DEV_PORT: String(port) },
    detached: true,
  });
  console.log(say(`Console with fast refresh: ${publicUrl}`, `控制台（热更新）：${publicUrl}`));

  return new Promise((resolve) => {
    let isStopping = false;
    const stop = async () => {
      if (isStopping) process.exit(1);
      isStopping = true;
      console_.kill('SIGTERM');
      await bundle.dispose();
      await server.stop();
      resolve(0);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => void stop());
    console_.once('exit', () => void stop());
  });
}

/** Runs one server at a time: the old one releases the data folder before the next one starts. */
function restarting(args, env) {
  let child = null;
  let turn = Promise.resolve();
  const end = () =>
    new Promise((resolve) => {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return resolve();
      child.once('exit', () => resolve());
      child.kill('SIGTERM');
    });
  return {
    restart: () => {
      turn = turn.then(end).then(() => {
        child = fork(inRoot('dist/server/main.js'), args, { cwd: root, execArgv: ['--enable-source-maps'], env: { ...process.env, ...env }, detached: true });
      });
      return turn;
    },
    stop: () => turn.then(end),
  };
}
