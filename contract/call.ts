export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a browser has to know to make a call. In `path`, `:name` marks a parameter. */
export type Call = { readonly id: string; readonly method: Method; readonly path: string };

/** The calls of an area: each its method and its path. No schemas, so that the console can load it at once; those stand beside it, in endpoints of the same names. */
export function calls<const Id extends string>(rows: Readonly<Record<Id, `${Method} /${string}`>>): Readonly<Record<Id, Call>> {
  const entries = Object.entries<string>(rows).map(([id, row]) => {
    const [method, path] = row.split(' ');
    return [id, { id, method, path }];
  });
  return Object.fromEntries(entries) as Record<Id, Call>;
}

/** The path of a call with its parameters filled in. */
export const pathOf = ({ path }: Call, args: Readonly<Record<string, unknown>> = {}): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(args[name])));
