type Attributes = Readonly<Record<string, string | undefined>>;

const named = (attributes: Attributes): boolean =>
  (attributes['aria-label'] ?? '').trim() !== '' || attributes['aria-labelledby'] !== undefined || (attributes['title'] ?? '').trim() !== '';
const buttonTypes = new Set(['submit', 'reset', 'button', 'image', 'hidden']);

/** Form fields without a label and buttons without a name. */
export function createFields() {
  const waiting: string[] = [];
  const labelled = new Set<string>();
  let unlabelled = 0;
  let labels = 0;
  let button: { text: boolean } | null = null;

  return {
    open(name: string, attributes: Attributes): void {
      if (name === 'label') {
        labels++;
        if (attributes['for'] !== undefined) labelled.add(attributes['for']);
      } else if (name === 'button') button = { text: named(attributes) };
      else if (name === 'input' || name === 'select' || name === 'textarea') {
        const isButton = name === 'input' && buttonTypes.has((attributes['type'] ?? '').toLowerCase());
        if (isButton || labels > 0 || named(attributes) || attributes['aria-hidden'] === 'true') return;
        if (attributes['id'] === undefined) unlabelled++;
        else if (waiting.length < 1000) waiting.push(attributes['id']);
      }
    },
    text(text: string): void {
      if (button !== null && !button.text) button.text = text.trim() !== '';
    },
    /** 1 if a button without a name ends. */
    close(name: string): number {
      if (name === 'label') labels = Math.max(0, labels - 1);
      if (name !== 'button' || button === null) return 0;
      const isNamed = button.text;
      button = null;
      return isNamed ? 0 : 1;
    },
    unlabelled: (): number => unlabelled + waiting.filter((id) => !labelled.has(id)).length,
  };
}
export type Fields = ReturnType<typeof createFields>;
