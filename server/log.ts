import { pino } from 'pino';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

export type Log = {
  debug(message: string, fields?: object): void;
  info(message: string, fields?: object): void;
  warn(message: string, fields?: object): void;
  error(message: string, fields?: object): void;
  /** A log that adds `fields` to every line. */
  child(fields: object): Log;
};

type Sink = { readonly write: (line: string) => void; readonly pretty: boolean };

/**
 * Lines on standard error: formatted at a terminal, otherwise one JSON object per line. Standard output is reserved for the program's actual output (help, the
 * ready line).
 */
export function createLog(level: LogLevel, sink: Sink = standardError()): Log {
  const write = sink.pretty ? (line: string) => sink.write(prettyLine(JSON.parse(line) as LogLine)) : sink.write;
  const logger = pino(
    {
      level,
      base: null,
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), bindings: (fields) => readable(fields), log: (fields) => readable(fields) },
      // pino's own serialization of errors would include the values of failed statements.
      serializers: { err: String, error: (value: unknown) => value },
    },
    { write },
  );
  return wrap(logger);
}

function standardError(): Sink {
  return { write: (line) => process.stderr.write(line), pretty: process.stderr.isTTY };
}

/** Takes the message first; pino takes the fields first. */
const wrap = (logger: pino.Logger): Log => ({
  debug: (message, fields = {}) => logger.debug(fields, message),
  info: (message, fields = {}) => logger.info(fields, message),
  warn: (message, fields = {}) => logger.warn(fields, message),
  error: (message, fields = {}) => logger.error(fields, message),
  child: (fields) => wrap(logger.child(fields)),
});

type LogLine = { readonly level: LogLevel; readonly time: string; readonly message: string };
const marks: Record<LogLevel, string> = { debug: '·', info: ' ', warn: '!', error: '✖', silent: ' ' };

function prettyLine({ level, time, message, ...fields }: LogLine): string {
  const rest = Object.entries(fields)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
  return `${new Date(time).toTimeString().slice(0, 8)} ${marks[level]} ${message}${rest === '' ? '' : `  ${rest}`}\n`;
}

/** Errors are converted to their text and stack; all other values stay unchanged. */
function readable(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]: [string, unknown]) => [key, value instanceof Error ? describe(value) : value]));
}

function describe(error: Error): string {
  const own = withoutValues(error, error.stack ?? `${error.name}: ${error.message}`);
  return error.cause instanceof Error ? `${own}\ncaused by ${describe(error.cause)}` : own;
}

/** The error of a failed statement contains its values (with Drizzle): password hashes, addresses. They must not be logged. */
function withoutValues(error: Error, text: string): string {
  if (!('query' in error && 'params' in error)) return text;
  const values = `params: ${String(error.params)}`;
  return text.replace(values, () => 'params: …');
}
