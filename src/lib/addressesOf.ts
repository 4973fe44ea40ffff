/** IP addresses and ranges that were typed or pasted, separated by line breaks, spaces or punctuation. */
export const addressesOf = (text: string): string[] => text.split(/[\s,，、;；]+/u).filter((address) => address !== '');
