/** JSON lines, one per fact. Only these fields can be logged, so no body, header or secret ever slips in. */
export interface LogFields {
  readonly requestId?: string;
  readonly route?: string;
  readonly status?: number;
  readonly ms?: number;
  readonly code?: string;
  readonly userId?: string;
  readonly orgId?: string;
  readonly id?: string;
  readonly count?: number;
  readonly reason?: string;
  readonly error?: unknown;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

const ORDER: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];
let threshold: LogLevel = 'info';
let write = (line: string): void => {
  process.stdout.write(line);
};

/** The hosts decide how much is said and where; functions only say it. */
export function configureLog(options: { readonly level?: LogLevel; readonly write?: (line: string) => void }) {
  threshold = options.level ?? threshold;
  write = options.write ?? write;
}

const at =
  (level: LogLevel) =>
  (message: string, fields: LogFields = {}) => {
    if (ORDER.indexOf(level) < ORDER.indexOf(threshold)) return;
    const { error, ...rest } = fields;
    write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...rest, ...describe(error) })}\n`);
  };

export const log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };

function describe(error: unknown): Record<string, unknown> {
  if (error === undefined) return {};
  if (!(error instanceof Error)) return { error: JSON.stringify(error) };
  const cause = error.cause === undefined ? {} : { cause: describe(error.cause) };
  return { error: error.message, errorName: error.name, stack: error.stack, ...cause };
}
