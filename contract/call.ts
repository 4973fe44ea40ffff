export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a browser needs to make a call. In `path`, `:name` marks a parameter. */
export type Call = { readonly id: string; readonly method: Method; readonly path: string };

/**
 * Defines the calls of an area, each by method and path. They contain no schemas, so that the console can load them at once; the schemas are in the endpoints
 * of the same names.
 */
export function calls<const Id extends string>(rows: Readonly<Record<Id, `${Method} /${string}`>>): Readonly<Record<Id, Call>> {
  const entries = Object.entries<string>(rows).map(([id, row]) => {
    const [method, path] = row.split(' ');
    return [id, { id, method, path }];
  });
  return Object.fromEntries(entries) as Record<Id, Call>;
}

/** Returns the path of a call with its parameters filled in. */
export const pathOf = ({ path }: Call, args: Readonly<Record<string, unknown>> = {}): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(args[name])));
