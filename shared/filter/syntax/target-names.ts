import type { Target } from './node.ts';

/** The names a loop target binds. */
export function targetNames(target: Target): string[] {
  switch (target.kind) {
    case 'name':
      return [target.id];
    case 'starred':
      return targetNames(target.target);
    case 'tuple':
      return target.targets.flatMap(targetNames);
  }
}
