/** Reading JSON that others wrote: every look inside is a check, never a cast. */

type JsonObject = Readonly<Record<string, unknown>>;
type Picked<T, K extends keyof T> = { readonly [P in K]?: NonNullable<T[P]> };

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectAt = (value: unknown, key: string): JsonObject => {
  const found = isObject(value) ? value[key] : undefined;
  return isObject(found) ? found : {};
};

export const listAt = (value: unknown, key: string): readonly JsonObject[] => {
  const found = isObject(value) ? value[key] : undefined;
  return Array.isArray(found) ? found.filter(isObject) : [];
};

export const stringAt = (value: unknown, key: string): string | undefined => {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === 'string' ? found : undefined;
};

export const numberAt = (value: unknown, key: string): number | undefined => {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === 'number' && Number.isFinite(found) ? found : undefined;
};

/** The object without the named fields; undefined when nothing is left. */
export function without(value: JsonObject, names: readonly string[]): JsonObject | undefined {
  const rest = Object.entries(value).filter(([name, field]) => field !== undefined && !names.includes(name));
  return rest.length > 0 ? Object.fromEntries(rest) : undefined;
}

/** The named fields that are there and not null. */
export function pick<T extends object, K extends keyof T>(value: T, names: readonly K[]): Picked<T, K> {
  const picked: { [P in K]?: NonNullable<T[P]> } = {};
  for (const name of names) {
    const field = value[name];
    if (field != null) picked[name] = field;
  }
  return picked;
}

/** The parsed text, or undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
