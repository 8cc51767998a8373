const AsyncFunction = /** @type {new (code: string) => () => Promise<unknown>} */ ((async () => {}).constructor);

/**
 * Runs what a plugin sends, in this page and as an async function: the interface promises exactly that. Only operators
 * install plugins. Failures are values, so that whoever asked learns of them.
 */
export async function execute(code) {
  try {
    return plain(await new AsyncFunction(String(code))());
  } catch (error) {
    return { error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

/** What can travel: nodes, functions and circles cannot. */
const plain = (value) => (value === undefined ? null : JSON.parse(JSON.stringify(value) ?? 'null'));
