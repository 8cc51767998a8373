import { enableCompileCache } from 'node:module';

// Reading and compiling the sources takes most of a start; the next one finds that work done.
enableCompileCache(new URL('../node_modules/.cache/atrium', import.meta.url).pathname);

const { main } = await import('../infra/local/main.ts');
await main(process.argv.slice(2));
