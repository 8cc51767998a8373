import { AppError } from '../errors.ts';
import { listAt, objectAt, stringAt } from '../llm/json-value.ts';
import type { Outbound, OutboundRequest } from '../net/outbound.ts';
import type { Settings } from '../settings/variables.ts';

export type SearchSettings = Pick<Settings, 'WEB_SEARCH_ENGINE' | 'WEB_SEARCH_URL' | 'WEB_SEARCH_API_KEY'>;
type Engine = Exclude<Settings['WEB_SEARCH_ENGINE'], ''>;

export interface Hit {
  readonly title: string;
  readonly url: string;
  readonly text: string;
}

interface Way {
  readonly url: string;
  readonly request: (address: string, query: string, key: string) => readonly [url: string, options: OutboundRequest];
  readonly hitsOf: (answer: unknown) => readonly Readonly<Record<string, unknown>>[];
}

const MOST_HITS = 8;
const SEARCH_MS = 20_000;
const LARGEST_ANSWER = 2 * 1024 * 1024;

const ENGINES: Readonly<Record<Engine, Way>> = {
  searxng: {
    url: '',
    request: (address, query) => [withQuery(address, { q: query, format: 'json' }), {}],
    hitsOf: (answer) => listAt(answer, 'results'),
  },
  brave: {
    url: 'https://api.search.brave.com/res/v1/web/search',
    request: (address, query, key) => [
      withQuery(address, { q: query, count: String(MOST_HITS) }),
      { headers: { 'x-subscription-token': key } },
    ],
    hitsOf: (answer) => listAt(objectAt(answer, 'web'), 'results'),
  },
  tavily: {
    url: 'https://api.tavily.com/search',
    request: (address, query, key) => [
      address,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query, max_results: MOST_HITS }),
      },
    ],
    hitsOf: (answer) => listAt(answer, 'results'),
  },
};

const withQuery = (address: string, query: Record<string, string>) =>
  `${address}?${new URLSearchParams(query).toString()}`;

export interface Search {
  readonly query: string;
  readonly signal: AbortSignal;
}

/** Asks the search provider that the operator has chosen. */
export async function searchWeb(
  outbound: Outbound,
  settings: SearchSettings,
  { query, signal }: Search,
): Promise<Hit[]> {
  if (settings.WEB_SEARCH_ENGINE === '') throw new AppError('not_available', 'Web search is not configured');
  const engine = ENGINES[settings.WEB_SEARCH_ENGINE];
  const [url, options] = engine.request(settings.WEB_SEARCH_URL || engine.url, query, settings.WEB_SEARCH_API_KEY);
  const headers = { accept: 'application/json', ...options.headers };
  const response = await outbound.request(url, { ...options, headers, timeoutMs: SEARCH_MS, trusted: true, signal });
  if (response.status !== 200) throw new AppError('upstream_failed', `The search provider answered ${response.status}`);
  return engine
    .hitsOf(await response.json(LARGEST_ANSWER))
    .slice(0, MOST_HITS)
    .map(toHit);
}

const toHit = (found: Readonly<Record<string, unknown>>): Hit => ({
  title: stringAt(found, 'title') ?? '',
  url: stringAt(found, 'url') ?? '',
  text: stringAt(found, 'content') ?? stringAt(found, 'description') ?? '',
});
