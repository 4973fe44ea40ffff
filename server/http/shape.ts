/** The part of JSON Schema that the contract's schemas use. */
export type JsonSchema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
};

/** Limits at the end of the safe integer range are omitted. */
const isStated = (value: number | undefined): value is number => value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;

function bounds(least: number | undefined, most: number | undefined): string {
  if (!isStated(least) && !isStated(most)) return '';
  return ` (${isStated(least) ? least : ''}…${isStated(most) ? most : ''})`;
}

/** A JSON schema in compact notation: `{ name: string (1…40), topics?: ("notice" | "security")[] }`, one property per line. */
export function shapeOf(schema: JsonSchema, indent = ''): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'any';
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((choice) => shapeOf(choice, indent)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.items) {
    const item = shapeOf(schema.items, indent);
    return `${item.includes(' | ') ? `(${item})` : item}[]${bounds(undefined, schema.maxItems)}`;
  }
  if (schema.properties) {
    const inner = `${indent}  `;
    const lines = Object.entries(schema.properties).map(
      ([name, property]) => `${inner}${name}${schema.required?.includes(name) === true ? '' : '?'}: ${shapeOf(property, inner)}`,
    );
    return `{\n${lines.join('\n')}\n${indent}}`;
  }
  if (typeof schema.additionalProperties === 'object') return `{ [name]: ${shapeOf(schema.additionalProperties, indent)} }`;
  const type = typeof schema.type === 'string' ? schema.type : (schema.type?.join(' | ') ?? 'any');
  return `${schema.format ?? type}${bounds(schema.minLength ?? schema.minimum, schema.maxLength ?? schema.maximum)}`;
}
