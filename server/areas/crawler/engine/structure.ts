const deepest = 7;

const mix = (hash: number, text: string): number => {
  let h = hash;
  for (let at = 0; at < text.length; at += 1) h = Math.imul(h ^ text.charCodeAt(at), 0x01000193);
  return h;
};

/** Names with digits are generated, so they differ between builds or pages. */
const classOf = (written: string | undefined): string => {
  const [first = ''] = (written ?? '').trim().split(/\s+/, 1);
  return first.length > 40 || /\d|__/.test(first) ? '' : first;
};

/**
 * A hash of the set of paths that the framing elements of a page have, such as `body>main>article.post`. How often a path occurs makes no difference, so that lists of different
 * lengths are one template.
 */
export function createStructure() {
  const stack: number[] = [0x811c9dc5];
  const paths = new Set<number>();
  return {
    open(name: string, className: string | undefined): void {
      const parent = stack.at(-1) as number;
      const hash = mix(mix(Math.imul(parent ^ 0x5f, 0x01000193), name), classOf(className));
      stack.push(hash);
      if (stack.length <= deepest) paths.add(hash);
    },
    close(): void {
      if (stack.length > 1) stack.pop();
    },
    /** 16 hex digits. */
    hash(): string {
      let [one, other] = [0x811c9dc5, 0x1b873593];
      for (const path of [...paths].toSorted((a, b) => a - b)) {
        one = Math.imul(one ^ path, 0x01000193);
        other = Math.imul(other ^ (path >>> 7), 0x85ebca6b) ^ path;
      }
      const hex = (n: number): string => (n >>> 0).toString(16).padStart(8, '0');
      return hex(one) + hex(other);
    },
  };
}
