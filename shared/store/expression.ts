import { marshall } from '@aws-sdk/util-dynamodb';

/** A condition in DynamoDB's words: `#name` is the attribute `name`, `:name` the value given for it. */
export interface Condition {
  readonly expression: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** `when('attribute_exists(pk) AND #status = :status', { status: 'ACTIVE' })` */
export const when = (expression: string, values: Readonly<Record<string, unknown>> = {}): Condition => ({
  expression,
  values,
});

export const absent = when('attribute_not_exists(pk)');
export const present = when('attribute_exists(pk)');

/** The optimistic lock: the row is still the one that was read. */
export const unchanged = (version: number) => when('#version = :version', { version });

export interface Change {
  readonly set?: Readonly<Record<string, unknown>>;
  /** Written only where there is nothing yet. */
  readonly setOnce?: Readonly<Record<string, unknown>>;
  readonly add?: Readonly<Record<string, number>>;
  readonly append?: Readonly<Record<string, readonly unknown[]>>;
  /** Members of a set of strings; the attribute disappears with its last member. */
  readonly include?: Readonly<Record<string, ReadonlySet<string>>>;
  readonly exclude?: Readonly<Record<string, ReadonlySet<string>>>;
  readonly remove?: readonly string[];
}

export interface Expression {
  readonly text: string;
  readonly names: Record<string, string>;
  readonly values: Record<string, unknown>;
}

/** Attributes get numbered aliases, so any name will do, reserved words too. Values that are undefined are not written. */
export function changeExpression(change: Change): Expression {
  const { set = {}, setOnce = {}, add = {}, append = {}, include = {}, exclude = {}, remove = [] } = change;
  const names: Record<string, string> = {};
  const values: Record<string, unknown> = {};
  const aliases = new Map<string, string>();
  const name = (attribute: string) => {
    const alias = aliases.get(attribute) ?? `#u_${aliases.size}`;
    aliases.set(attribute, alias);
    names[alias] = attribute;
    return alias;
  };
  const value = (given: unknown) => {
    const alias = `:u_${Object.keys(values).length}`;
    values[alias] = given;
    return alias;
  };
  const defined = (fields: Readonly<Record<string, unknown>>) =>
    Object.entries(fields).filter(([, given]) => given !== undefined);
  if (Object.keys(append).length) values[':u_empty'] = [];
  const sets = [
    ...defined(set).map(([k, v]) => `${name(k)} = ${value(v)}`),
    ...defined(setOnce).map(([k, v]) => `${name(k)} = if_not_exists(${name(k)}, ${value(v)})`),
    ...defined(append).map(([k, v]) => `${name(k)} = list_append(if_not_exists(${name(k)}, :u_empty), ${value(v)})`),
  ];
  const adds = [...defined(add), ...defined(include)].map(([k, v]) => `${name(k)} ${value(v)}`);
  const deletes = defined(exclude).map(([k, v]) => `${name(k)} ${value(v)}`);
  const clauses = [
    sets.length ? `SET ${sets.join(', ')}` : '',
    adds.length ? `ADD ${adds.join(', ')}` : '',
    deletes.length ? `DELETE ${deletes.join(', ')}` : '',
    remove.length ? `REMOVE ${remove.map(name).join(', ')}` : '',
  ];
  return { text: clauses.filter(Boolean).join(' '), names, values };
}

/** The request fields for an optional change and an optional condition, aliases merged. */
export function expressionFields(change: Expression | undefined, condition: Condition | undefined) {
  const names = { ...change?.names, ...namesIn(condition) };
  const values = { ...change?.values, ...valuesIn(condition) };
  return {
    ...(change?.text && { UpdateExpression: change.text }),
    ...(condition && { ConditionExpression: condition.expression }),
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: toAttributes(values) }),
  };
}

export const namesIn = (condition: Condition | undefined) =>
  Object.fromEntries(
    [...(condition?.expression.matchAll(/#(\w+)/g) ?? [])].map(([alias, attribute]) => [alias, attribute ?? '']),
  );

export const valuesIn = (condition: Condition | undefined) =>
  Object.fromEntries(Object.entries(condition?.values ?? {}).map(([name, given]) => [`:${name}`, given]));

export const toAttributes = (fields: Readonly<Record<string, unknown>>) =>
  marshall(fields, { removeUndefinedValues: true, convertClassInstanceToMap: false });
