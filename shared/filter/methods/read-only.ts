import type { Methods } from '../builtins/signature.ts';
import { unsupported } from '../errors.ts';

/** Methods that would change their object: known, but refused with a reason. */
export function refused<Self>(type: string, names: string): Methods<Self> {
  return new Map(
    names.split(' ').map((name) => [
      name,
      () => {
        throw unsupported(`${type}.${name}() changes its object; a filter may only read`);
      },
    ]),
  );
}
