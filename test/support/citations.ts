/** Strings are matched first, so that a `//` inside one is not taken for a comment. */
const STRING_OR_COMMENT = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;
const QUOTED_ID = /(['"`])([a-z0-9-]+\/[a-z0-9-]+)\1/g;
/** What stands between the opening of a proof and its body: the ids, the reason and the title. */
const PROOF_HEAD = /\bverifies(?:When|InBrowser)?\(([\s\S]*?)(?:=>|\bfunction\b|\);)/g;

export interface Citations {
  readonly cited: ReadonlySet<string>;
  readonly unknown: readonly string[];
}

/**
 * The requirement ids a test file cites. A known id counts wherever a proving file quotes it, so tables of
 * cases may hold ids; an unknown one is reported only from the head of a proof, since elsewhere it may be a media type.
 */
export function citationsIn(source: string, isKnown: (id: string) => boolean): Citations {
  const code = source.replace(STRING_OR_COMMENT, (token) => (token.startsWith('/') ? ' ' : token));
  const heads = [...code.matchAll(PROOF_HEAD)].map(([head]) => head);
  if (heads.length === 0) return { cited: new Set(), unknown: [] };
  return {
    cited: new Set(quotedIds(code).filter(isKnown)),
    unknown: heads.flatMap(quotedIds).filter((id) => !isKnown(id)),
  };
}

const quotedIds = (code: string) => [...code.matchAll(QUOTED_ID)].map((match) => match[2] ?? '');
