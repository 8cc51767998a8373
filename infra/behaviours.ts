import { type Description, streamFunctionName } from './functions.ts';

/** A path pattern of the distribution and the streaming function behind it. */
export interface StreamBehaviour {
  readonly pattern: string;
  readonly functionName: string;
}

/**
 * The patterns that lead to streaming functions, most specific first because the first match wins. A trailing slash is
 * ignored everywhere, and CloudFront takes patterns literally, so a path without a final wildcard gets a second one.
 */
export function streamBehaviours({ families }: Description): readonly StreamBehaviour[] {
  const behaviours = Object.entries(families).flatMap(([name, { routes }]) =>
    Object.values(routes)
      .filter((route) => route.transport === 'stream')
      .flatMap((route) => patternsOf(route.path))
      .map((pattern) => ({ pattern, functionName: streamFunctionName(name) })),
  );
  return behaviours.filter((one, i) => !isCovered(one, i, behaviours)).toSorted(bySpecificity);
}

export function patternsOf(path: string): readonly string[] {
  const pattern = path.replaceAll(/\{[^}]+\}/g, '*').replace(/(?<=.)\/$/, '');
  return pattern.endsWith('*') ? [pattern] : [pattern, `${pattern}/`];
}

/** CloudFront's own rule: `*` is any run of characters, slashes included. */
export function matches(pattern: string, path: string) {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[^\w/]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`).test(path);
}

/** A second route on the same path, or one that a wider pattern of the same function takes along. */
const isCovered = (one: StreamBehaviour, at: number, all: readonly StreamBehaviour[]) =>
  all.some((other, i) => {
    if (i === at || other.functionName !== one.functionName) return false;
    return other.pattern === one.pattern ? i < at : matches(other.pattern, one.pattern);
  });

const bySpecificity = (a: StreamBehaviour, b: StreamBehaviour) =>
  literalStart(b.pattern) - literalStart(a.pattern) || b.pattern.length - a.pattern.length;

const literalStart = (pattern: string) => (pattern.includes('*') ? pattern.indexOf('*') : Number.MAX_SAFE_INTEGER);
