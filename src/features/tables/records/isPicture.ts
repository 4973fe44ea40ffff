/** Pictures and videos, which a browser recognises; the server decides by content. */
export const isPicture = ({ type }: { readonly type: string }): boolean => /^(?:image|video)\//.test(type);
