/** Hands a file of the server to the browser's downloads, which writes it as it comes and keeps nothing of it in memory. */
export function download(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
}
