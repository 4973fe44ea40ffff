/**
 * Entry point of `npm start`, `npm run dev`, `npm run build` and `npm test`. It needs nothing installed. Only this file is written so that an old Node can read
 * it and report what is missing; everything else is loaded after the check.
 */
import process from 'process';

var oldest = [20, 19];
var current = process.versions.node.split('.').map(Number);

if (current[0] < oldest[0] || (current[0] === oldest[0] && current[1] < oldest[1])) {
  var zh = /^zh/i.test(process.env.LC_ALL || process.env.LC_MESSAGES || process.env.LANG || '');
  console.error(
    zh
      ? '需要 Node ' + oldest.join('.') + ' 或更新版本，当前为 ' + process.versions.node + '。请从 https://nodejs.org 安装。'
      : 'Node ' + oldest.join('.') + ' or newer is needed; this is ' + process.versions.node + '. Get it from https://nodejs.org',
  );
  process.exit(1);
} else {
  import('./launcher/commands.mjs').then(
    function (commands) {
      return commands.run(process.argv[2], process.argv.slice(3));
    },
    function (error) {
      console.error(error);
      process.exit(1);
    },
  );
}
