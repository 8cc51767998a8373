/** The only reader of the process environment. Blank counts as unset. */
export const fromEnvironment = (name: string): string | undefined => process.env[name]?.trim() || undefined;

export function requiredFromEnvironment(name: string): string {
  const value = fromEnvironment(name);
  if (value === undefined) throw new Error(`The host did not set ${name}`);
  return value;
}
