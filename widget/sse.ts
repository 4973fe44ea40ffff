export type StreamEvent = { readonly id: string | null; readonly data: string };

/** Reads server-sent events from chunks of text, which may end anywhere. Comments have no event. */
export function createEventReader(receive: (event: StreamEvent) => void): (chunk: string) => void {
  let rest = '';
  let id: string | null = null;
  let data: string[] = [];
  const readRow = (row: string): void => {
    if (row === '') {
      if (data.length > 0) receive({ id, data: data.join('\n') });
      data = [];
      id = null;
      return;
    }
    const colon = row.indexOf(':');
    const name = colon < 0 ? row : row.slice(0, colon);
    const value = colon < 0 ? '' : row.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') data.push(value);
    if (name === 'id') id = value;
  };
  return (chunk) => {
    const rows = (rest + chunk).split(/\r?\n/);
    rest = rows.pop() ?? '';
    rows.forEach(readRow);
  };
}
