/** `/%E4%BA%A7%E5%93%81` as `/产品`; left alone where that would not be the same address. */
export function readablePath(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
