/**
 * The complete ClickHouse child process. libchdb exports the entry point of `clickhouse local`; called with a query that starts the HTTP listener and then
 * counts the lines of standard input, it serves for exactly as long as the parent holds the pipe. The call blocks this process deliberately, because it does
 * nothing else. Arguments: path of libchdb, then those of `clickhouse local`.
 */
import { DataType, load, open } from 'ffi-rs';

const [library, ...args] = process.argv.slice(2);
const argv = ['clickhouse', ...args];
open({ library: 'chdb', path: library });
load({
  library: 'chdb',
  funcName: 'query_stable_v2',
  retType: DataType.External,
  paramsType: [DataType.I32, DataType.StringArray],
  paramsValue: [argv.length, argv],
});
