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
 * Lines on standard error: readable at a terminal, one JSON object a line elsewhere. Standard output is left to what the
 * program was asked for (help, the ready line).
 */
export function createLog(level: LogLevel, sink: Sink = standardError()): Log {
  return makeLog(logLevels.indexOf(level), sink, {});
}

function standardError(): Sink {
  return { write: (line) => process.stderr.write(line), pretty: process.stderr.isTTY };
}

function makeLog(threshold: number, sink: Sink, bound: object): Log {
  const at = (level: LogLevel) => {
    if (logLevels.indexOf(level) < threshold) return () => undefined;
    return (message: string, fields?: object) => {
      const all = { ...bound, ...fields };
      sink.write(sink.pretty ? prettyLine(level, message, all) : `${JSON.stringify({ time: new Date().toISOString(), level, message, ...flatten(all) })}\n`);
    };
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), child: (fields) => makeLog(threshold, sink, { ...bound, ...fields }) };
}

const marks: Record<LogLevel, string> = { debug: '·', info: ' ', warn: '!', error: '✖', silent: ' ' };

function prettyLine(level: LogLevel, message: string, fields: object): string {
  const rest = Object.entries(flatten(fields))
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
  return `${new Date().toTimeString().slice(0, 8)} ${marks[level]} ${message}${rest === '' ? '' : `  ${rest}`}\n`;
}

/** Errors keep their text and stack; everything else stays as it is. */
function flatten(fields: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]: [string, unknown]) => [key, value instanceof Error ? describe(value) : value]));
}

function describe(error: Error): string {
  const own = withoutValues(error, error.stack ?? `${error.name}: ${error.message}`);
  return error.cause instanceof Error ? `${own}\ncaused by ${describe(error.cause)}` : own;
}

/** A failed statement names the values it was given (Drizzle does): hashes of passwords, addresses. They stay out of the log. */
function withoutValues(error: Error, text: string): string {
  if (!('query' in error && 'params' in error)) return text;
  const values = `params: ${String(error.params)}`;
  return text.replace(values, () => 'params: …');
}
