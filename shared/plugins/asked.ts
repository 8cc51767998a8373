import { isObject } from '../llm/json-value.ts';

/** The ids in a field of a request. */
export const stringsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** The features that a request switches on. */
export const featuresOf = (features: unknown): string[] =>
  isObject(features) ? Object.entries(features).flatMap(([name, isOn]) => (isOn === true ? [name] : [])) : [];
