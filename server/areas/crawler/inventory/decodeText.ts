/** Bytes of a stored page as text, by the charset that its facts name; a file without one is read as UTF-8. Characters that no text has are replaced. */
export function decodeText(body: Buffer, charset: string): string {
  const text = new TextDecoder(charset === '' ? 'utf-8' : charset).decode(body);
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '\ufffd');
}
