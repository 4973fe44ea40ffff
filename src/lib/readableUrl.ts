/** The address of a page as people read it: without the scheme, decoded where that is unambiguous. */
export function readableUrl(url: string): string {
  let text = url;
  try {
    text = decodeURI(url);
  } catch {
    // Not valid UTF-8: as it is.
  }
  return text.replace(/^https?:\/\//, '');
}
