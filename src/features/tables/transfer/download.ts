/** Starts a browser download, which streams the file to disk instead of keeping it in memory. */
export function download(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}
