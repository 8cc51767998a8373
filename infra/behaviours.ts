import { type Description, streamFunctionName } from './functions.ts';

/** A path pattern of the distribution and the streaming function behind it. */
export interface StreamBehaviour {
  readonly pattern: string;
  readonly functionName: string;
}

/**
 * The patterns that lead to streaming functions, most specific first because the first match wins. A trailing slash is
 * ignored everywhere and CloudFront takes patterns literally, so a path gets a final wildcard where that takes nothing
 * from another function, and a second pattern with the slash where it would: a distribution ends at 25 behaviours.
 */
export function streamBehaviours(description: Description): readonly StreamBehaviour[] {
  const places = placesOf(description);
  const behaviours = places
    .filter((place) => place.isStream)
    .flatMap(({ path, functionName }) => {
      const others = places.filter((other) => other.functionName !== functionName);
      return patternsOf(path, others.map(sampleOf)).map((pattern) => ({ pattern, functionName }));
    });
  return behaviours.filter((one, i) => !isCovered(one, i, behaviours)).toSorted(bySpecificity);
}

interface Place {
  readonly path: string;
  readonly isStream: boolean;
  readonly functionName: string;
}

const placesOf = ({ families }: Description): readonly Place[] =>
  Object.entries(families).flatMap(([name, { routes }]) =>
    Object.values(routes).map(({ path, transport }) => {
      const isStream = transport === 'stream';
      return { path, isStream, functionName: isStream ? streamFunctionName(name) : name };
    }),
  );

const sampleOf = ({ path }: Place) => path.replaceAll(/\{[^}]+\}/g, 'x');

export function patternsOf(path: string, othersPaths: readonly string[]): readonly string[] {
  const pattern = path.replaceAll(/\{[^}]+\}/g, '*').replace(/(?<=.)\/$/, '');
  const wide = pattern.endsWith('*') ? pattern : `${pattern}*`;
  return othersPaths.some((other) => matches(wide, other)) && wide !== pattern ? [pattern, `${pattern}/`] : [wide];
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
