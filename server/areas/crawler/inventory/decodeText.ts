/** Bytes of a stored page as text; a charset that is not known is read as UTF-8. Characters that no text has are replaced. */
export function decodeText(body: Buffer, charset: string): string {
  let text: string;
  try {
    text = new TextDecoder(charset === '' || /^gb(?:k|2312)$/i.test(charset) ? (charset === '' ? 'utf-8' : 'gb18030') : charset).decode(body);
  } catch {
    text = new TextDecoder().decode(body);
  }
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '\ufffd');
}
