import type { Called } from './call.ts';
import type { ToolFile } from './tool.ts';

/** Files of one reply. They are kept in its message, so there is an end to what they may weigh together. */
export interface FileRoom {
  /** The results with the files that found room; of the others the model learns that nobody will see them. */
  take(results: readonly Called[]): readonly Called[];
  all(): readonly ToolFile[];
}

/** Of all addresses in characters, which for `data:` URLs is the content. An event of the message holds a little more. */
const LARGEST = 3 * 1024 * 1024;

export function createFileRoom(): FileRoom {
  const kept: ToolFile[] = [];
  let space = LARGEST;
  const keep = (file: ToolFile) => {
    if (file.url.length > space) return false;
    space -= file.url.length;
    kept.push(file);
    return true;
  };
  return {
    take: (results) =>
      results.map((called) => {
        const { files = [] } = called.result;
        const refused = new Set(files.filter((file) => !keep(file)));
        return refused.size === 0 ? called : withoutFiles(called, refused);
      }),
    all: () => kept,
  };
}

function withoutFiles(called: Called, refused: ReadonlySet<ToolFile>): Called {
  const { text, files = [], images } = called.result;
  const urls = new Set([...refused].map(({ url }) => url));
  const result = {
    ...called.result,
    text: `${text}\n[${refused.size} of ${files.length} files were too large to be shown]`,
    files: files.filter((file) => !refused.has(file)),
    images: images?.filter((url) => !urls.has(url)),
  };
  return { ...called, result };
}
